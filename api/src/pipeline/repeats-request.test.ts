import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { repeatsRequest } from './repeats-request.ts';

const PROMPT = 'Où est "le café" de\nmon voisin Étienne?';
const body = Buffer.from(
  JSON.stringify({ model: 'some-model', messages: [{ role: 'user', content: PROMPT }] }),
);
const repeats = (message: string, sent = body) =>
  repeatsRequest(message, { body: sent, names: ['some-model'] });

describe('repeatsRequest', () => {
  it.each([
    `Refused: ${PROMPT}`,
    'Refused: OÙ EST LE CAFÉ DE MON VOISIN',
    `Refused: ${JSON.stringify(JSON.stringify(PROMPT))}`,
    "Refused because of 'Étienne'",
  ])('finds text of the request in %j', (message) => {
    expect(repeats(message)).toBe(true);
  });

  it('finds text that the caller has escaped', () => {
    const escaped = body.toString('utf8').replaceAll(/[^\0-\u007f]/g, (sign) => {
      return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
    expect(repeats('Refused because of `Étienne`', Buffer.from(escaped))).toBe(true);
  });

  it.each(['Your API key has expired.', "The key has no access to 'some-model'.", 'Insufficient balance'])(
    'finds none in %j',
    (message) => {
      expect(repeats(message)).toBe(false);
    },
  );

  it('does not search a very large body', () => {
    expect(repeats('Your API key has expired.', Buffer.alloc(2 * 1024 * 1024, 'x'))).toBeNull();
  });

  it('takes a message with many quotes as one that repeats a large body, without searching for each', () => {
    const quotes = Array.from({ length: 300 }, (_, at) => `"aaa${at}b"`).join(' ');
    const before = process.threadCpuUsage();
    expect(repeats(quotes, Buffer.from('a'.repeat(1_000_000)))).toBe(true);
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(150);
    expect(repeats('"some" and "other" words')).toBe(true);
    expect(repeats('"these" and "other" words')).toBe(false);
  });

  it('finds a run of 16 letters or digits wherever it is, and no shorter one', () => {
    const run = 'abcdefghijklmnop';
    for (let before = 0; before < 20; before += 1) {
      const sent = Buffer.from(`{"a":"${'1'.repeat(before)}${run}22"}`);
      expect(repeats(`333${run}444`, sent)).toBe(true);
      expect(repeats(run, sent)).toBe(true);
      expect(repeats(`333${run.slice(1)}444`, sent)).toBe(false);
    }
  });

  it.each<[string, string, string, number]>([
    ['prose', 'some words '.repeat(90_000), 'Another sentence without any of them. '.repeat(50), 150],
    ['Chinese', '漢字仮名交文章'.repeat(49_000), 'Your API key has expired. '.repeat(80), 20],
    ['backslashes', '\\'.repeat(1_000_000), 'Your API key has expired.', 150],
    ['the start of a run', 'abcdefghijklmno '.repeat(60_000), 'abcdefghijklmnXYZ '.repeat(100), 150],
  ])('takes little time for a large body of %s', (_name, sent, message, limitMs) => {
    const before = process.threadCpuUsage();
    expect(repeats(message, Buffer.from(sent))).toBe(false);
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(limitMs);
  });
});
