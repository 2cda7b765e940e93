import { expect, it } from 'vitest';
import { AnthropicPrefixCache } from './anthropic-prefix-cache.ts';
import { OpenAiPrefixCache } from './openai-prefix-cache.ts';

const MARK = { cache_control: { type: 'ephemeral' } };
const LONG = 'word '.repeat(2_000);
const text = (value: string) => ({ type: 'text', text: value });
const claude = (messages: object[], more: object = {}) => ({
  model: 'claude-sonnet-5',
  system: [{ ...text(LONG), ...MARK }],
  messages,
  ...more,
});

it('reads an Anthropic prefix that an earlier breakpoint has written, until it expires', () => {
  let now = 0;
  const cache = new AnthropicPrefixCache(() => now);
  const body = claude([{ role: 'user', content: 'Hi' }]);
  const first = cache.read(body);
  expect(first).toMatchObject({ cacheReadTokens: 0 });
  const written = first?.cacheWriteTokens ?? 0;
  expect(written).toBeGreaterThan(2_000);
  now += 4 * 60_000;
  expect(cache.read(body)).toMatchObject({ cacheReadTokens: written, cacheWriteTokens: 0 });
  // The hit has extended its life.
  now += 4 * 60_000;
  expect(cache.read(body)).toMatchObject({ cacheReadTokens: written });
  now += 5 * 60_000;
  expect(cache.read(body)).toMatchObject({ cacheReadTokens: 0, cacheWriteTokens: written });
});

it('reads no Anthropic prefix that differs in one character, has no breakpoint or is too short', () => {
  const cache = new AnthropicPrefixCache(() => 0);
  const messages = [{ role: 'user', content: 'Hi' }];
  cache.read(claude(messages));
  const none = { cacheReadTokens: 0, cacheWriteTokens: 0 };
  expect(cache.read(claude(messages, { system: [text(LONG)] }))).toMatchObject(none);
  const other = claude(messages, { system: [{ ...text(`${LONG}!`), ...MARK }] });
  expect(cache.read(other)).toMatchObject({ cacheReadTokens: 0 });
  const short = claude(messages, { system: [{ ...text('word'), ...MARK }] });
  cache.read(short);
  expect(cache.read(short)).toMatchObject(none);
});

it('looks back over 20 blocks', () => {
  const turn = (blocks: number) => [
    { role: 'user', content: Array.from({ length: blocks }, (_, at) => text(`block ${at}`)) },
  ];
  const marked = (blocks: number) => {
    const [message] = turn(blocks);
    const content = message?.content.map((block, at) => (at === blocks - 1 ? { ...block, ...MARK } : block));
    return claude([{ role: 'user', content }], { system: [text(LONG)] });
  };
  const cache = new AnthropicPrefixCache(() => 0);
  cache.read(marked(1));
  expect(cache.read(marked(21))).toMatchObject({ cacheReadTokens: 0 });
  expect(cache.read(marked(40))?.cacheReadTokens).toBeGreaterThan(2_000);
});

it('refuses five breakpoints', () => {
  const content = Array.from({ length: 4 }, (_, at) => ({ ...text(`block ${at}`), ...MARK }));
  expect(new AnthropicPrefixCache(() => 0).read(claude([{ role: 'user', content }]))).toBeNull();
});

it('reads an OpenAI prefix in steps of 128 tokens, for the same key alone', () => {
  let now = 0;
  const cache = new OpenAiPrefixCache(() => now);
  const body = (key: string, ...more: string[]) => ({
    model: 'gpt-5.4',
    prompt_cache_key: key,
    messages: [LONG, ...more].map((content) => ({ role: 'user', content })),
  });
  expect(cache.read(body('a'))).toMatchObject({ cacheReadTokens: 0 });
  const read = cache.read(body('a', 'next')).cacheReadTokens;
  expect(read).toBeGreaterThan(2_000);
  expect(read % 128).toBe(0);
  expect(cache.read(body('b', 'next'))).toMatchObject({ cacheReadTokens: 0 });
  now += 5 * 60_000;
  expect(cache.read(body('a', 'next'))).toMatchObject({ cacheReadTokens: 0 });
});

it('reads no OpenAI prefix below 1,024 tokens', () => {
  const cache = new OpenAiPrefixCache(() => 0);
  const body = { model: 'gpt-5.4', messages: [{ role: 'user', content: 'x'.repeat(4_000) }] };
  cache.read(body);
  expect(cache.read(body)).toMatchObject({ cacheReadTokens: 0 });
});
