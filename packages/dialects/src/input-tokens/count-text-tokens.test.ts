import { afterAll, describe, expect, it } from 'vitest';
import { closeTokenizer, countTextTokens } from './count-text-tokens.ts';
import { sliceText } from './slice-text.ts';

afterAll(closeTokenizer);

const PROSE = 'The harbour was quiet that morning, and no one asked what the ships had brought. ';

/** Letters in an order that repeats nowhere near. */
function noise(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 0x7fffffff;
    return String.fromCodePoint(97 + (state % 26));
  }).join('');
}

describe('the count of tokens in text', () => {
  it('is that of o200k_base', async () => {
    // https://platform.openai.com/tokenizer
    expect(await countTextTokens(['hello world'])).toBe(2);
    expect(await countTextTokens(['hello world', 'hello world'])).toBe(4);
    expect(await countTextTokens([])).toBe(0);
    expect(await countTextTokens([''])).toBe(0);
  });

  it('takes the names of special tokens for text', async () => {
    expect(await countTextTokens(['<|endoftext|>'])).toBeGreaterThan(1);
  });

  it('takes halves of surrogate pairs and NUL', async () => {
    expect(await countTextTokens(['\ud83d', '\ude00', '\u0000'])).toBeGreaterThan(0);
  });

  it('extrapolates from samples if the text is long, close to the full count', async () => {
    const short = await countTextTokens([PROSE.repeat(100)]);
    const long = await countTextTokens([PROSE.repeat(10_000)]);
    expect(long / short).toBeGreaterThan(97);
    expect(long / short).toBeLessThan(103);
  });

  it('extrapolates from short texts as from one long one', async () => {
    const texts = Array.from({ length: 20_000 }, () => PROSE);
    const counted = await countTextTokens([PROSE.repeat(10)]);
    const ratio = (await countTextTokens(texts)) / (counted * 2_000);
    expect(Math.abs(ratio - 1)).toBeLessThan(0.1);
  });

  it('counts all of a text for an admission or refuses it: its samples may look cheap', async () => {
    const admission = { owner: 'a', purpose: 'admission' } as const;
    // The samples hit spaces, of which many make one token; each sign in between makes several.
    const deceptive = (' '.repeat(5_000) + '\u{1f9ff}'.repeat(1_900)).repeat(64);
    expect(deceptive.length).toBeGreaterThan(512 * 1024);
    const estimate = await countTextTokens([deceptive]);
    expect(await countTextTokens([deceptive], admission)).toBeGreaterThan(estimate);
    await expect(countTextTokens([deceptive.repeat(2)], admission)).rejects.toThrow('too long');
  });

  it('stays fast on megabytes without a space, and lets other work run meanwhile', async () => {
    const repeated = ['a', ' ', '漢', '\n', '{'].map((sign) => sign.repeat(4_000_000));
    const texts = [...repeated, noise(4_000_000)];
    await countTextTokens(['loads the tokenizer']);
    let turns = 0;
    let longestMs = 0;
    let lastMs = performance.now();
    const ticker = setInterval(() => {
      turns += 1;
      longestMs = Math.max(longestMs, performance.now() - lastMs);
      lastMs = performance.now();
    }, 1);
    const startMs = performance.now();
    for (const hostile of texts) await countTextTokens([hostile]);
    clearInterval(ticker);
    process.stdout.write(
      `six texts of 4,000,000 signs without a break: ${Math.round(performance.now() - startMs)} ms in ${turns} turns, the longest ${Math.round(longestMs)} ms\n`,
    );
    expect(turns).toBeGreaterThan(20);
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });
});

describe('slices', () => {
  it('are the text, none longer than 256 characters, cut before spaces if it has spaces', () => {
    for (const text of ['', PROSE.repeat(20), 'a'.repeat(1_000), ' '.repeat(1_000), `${'b'.repeat(300)} c`]) {
      const slices = [...sliceText(text)];
      expect(slices.join('')).toBe(text);
      expect(Math.max(0, ...slices.map(({ length }) => length))).toBeLessThanOrEqual(256);
    }
    const [, second] = sliceText(PROSE.repeat(20));
    expect(second?.startsWith(' ')).toBe(true);
  });
});
