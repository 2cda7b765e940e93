import { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import { describe, expect, it, vi } from 'vitest';
import { anthropicStreamRules } from '../anthropic-messages/stream-rules.ts';
import { createOpenAiStreamRules } from '../openai-chat/stream-rules.ts';
import { openAiResponsesStreamRules } from '../openai-responses/stream-rules.ts';
import { getText } from '../stream-tap.fixture.ts';
import { StreamTap } from '../stream-tap.ts';
import { cleanEvents } from './clean-events.ts';

const RULES = {
  'openai-chat': createOpenAiStreamRules(true),
  'anthropic-messages': anthropicStreamRules,
  'openai-responses': openAiResponsesStreamRules,
};
const DIALECTS: Dialect[] = ['openai-chat', 'anthropic-messages', 'openai-responses'];
const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const WORD: Record<Dialect, string> = {
  'openai-chat': event({ id: 'x', choices: [{ index: 0, delta: { content: 'Grüße' } }] }),
  'anthropic-messages': `event: content_block_delta\n${event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße' } })}`,
  'openai-responses': event({ type: 'response.output_text.delta', output_index: 0, delta: 'Grüße' }),
};
const nested = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
const redact = (text: string) => text.replaceAll('SECRET', '[redacted]').slice(0, 8_000);

/** @returns what the caller gets of a stream that is cut into pieces of `size` bytes */
function relay(dialect: Dialect, stream: string, { size = 100_000, largeBytes = 64 * 1024 } = {}) {
  const tap = new StreamTap(RULES[dialect], redact, { largeBytes });
  const bytes = Buffer.from(stream);
  const passed: string[] = [];
  for (let at = 0; at < bytes.length; at += size)
    passed.push(getText(tap.push(bytes.subarray(at, at + size))));
  const { rest, isClean } = tap.finish();
  const text = Buffer.from(passed.join('') + getText(rest), 'latin1').toString();
  return { text, isClean, sawError: tap.sawError };
}

it.each(['anthropic-messages', 'openai-responses'] as const)(
  'leaves the end of another dialect in a stream of %s',
  (dialect) => {
    const stream = `${WORD[dialect]}data: [DONE]\n\n${WORD[dialect]}`;
    expect(relay(dialect, stream)).toEqual({ text: stream, isClean: false, sawError: false });
  },
);

it('gives the events of a message the names that clients find them by', () => {
  const named = WORD['anthropic-messages'];
  const nameless = named.replace(/^event: .*\n/, '');
  expect(relay('anthropic-messages', nameless + named).text).toBe(named + named);
  const other = event({ type: 'Not a name' });
  expect(relay('anthropic-messages', other).text).toBe(other);
});

it.each(DIALECTS)('writes lines that end with CR as other lines: %s', (dialect) => {
  const stream = WORD[dialect].repeat(3);
  for (const size of [1, 7, 100_000])
    expect(relay(dialect, stream.replaceAll('\n', '\r'), { size }).text).toBe(stream);
});

describe.each(DIALECTS)('an error inside a started stream of %s', (dialect) => {
  const word = WORD[dialect];

  it.each([
    ['plain text', 'event: error\ndata: refused key SECRET\n\n'],
    ['plain text without a name', 'data: refused key SECRET\n\n'],
    ['a list', event([{ error: { message: 'bad key SECRET' } }])],
    ['a string', `event: error\n${event('bad key SECRET')}`],
    ['cut JSON', 'data: {"error":{"message":"bad key SECRET"\n\n'],
    ['cut JSON that ends with a brace', 'data: {"choices":[{"error":{"message":"bad key SECRET"}}\n\n'],
    ['JSON that is too deep', `data: {"error":{"message":"bad key SECRET","x":${nested}}}\n\n`],
    ['large plain text', `event: error\ndata: refused key SECRET ${'x'.repeat(300_000)}\n\n`],
    ['plain text in several lines', 'data: refused\ndata: key SECRET\n\n'],
  ])('becomes an error event of the dialect if it is %s', (_name, sent) => {
    const { text, sawError } = relay(dialect, word + sent + word);
    expect(text).not.toContain('SECRET');
    expect(sawError).toBe(true);
    expect(text.startsWith(word)).toBe(true);
    // What follows an error is no part of the response.
    const written = text.slice(word.length);
    expect(written).toMatch(/^(?:event: error\n)?data: \{.*\}\n\n$/);
    expect(written).toMatch(/key \[redacted\]|cannot be read/);
    expect(text).toBe(relay(dialect, word + sent + word, { size: 1 }).text);
  });

  it.each([
    ['a detail', { detail: 'bad key SECRET' }],
    ['a message', { message: 'bad key SECRET', code: 401 }],
    ['a list of errors', { errors: [{ msg: 'bad key SECRET' }] }],
    ['a large message', { message: 'bad key SECRET', pad: 'x'.repeat(300_000) }],
  ])('is redacted if it is an object with %s', (_name, data) => {
    const { text } = relay(dialect, word + event(data) + word);
    expect(text).toContain('bad key [redacted]');
    expect(text.startsWith(word) && text.endsWith(word)).toBe(true);
  });

  it.each([
    ['a message', '{"error":{"message":"bad key SECRET","message":"x"}}'],
    ['a message with escapes', '{"error":{"mess\\u0061ge":"bad key SECRET","message":"x"}}'],
    ['the error', '{"error":{"message":"bad key SECRET"},"error":{"message":"x"}}'],
    ['an error that becomes null', '{"error":{"message":"bad key SECRET"},"error":null}'],
    ['a detail', '{"detail":"bad key SECRET","detail":"x"}'],
  ])('is parsed and written again if it has %s twice, the first with a secret', (_name, json) => {
    const { text } = relay(dialect, `${word}data: ${json}\n\n${word}`);
    const written = JSON.parse(json) as { error?: unknown };
    expect(text).toBe(`${word}${event(written)}${written.error ? '' : word}`);
  });

  it.each([
    ['an object without "data:"', '{"error":{"message":"bad key SECRET"}}\n\n'],
    ['plain text', 'Bad gateway SECRET\n\n'],
    ['a comment', ': bad key SECRET\n\n'],
    ['an id', 'id: SECRET\n\n'],
    ['the name of an event', 'event: SECRET\n\n'],
    ['a large line', `{"error":{"message":"bad key SECRET","x":"${'x'.repeat(300_000)}"}}\n\n`],
    ['a large comment', `: ${'x'.repeat(100_000)} SECRET\n\n`],
  ])('is dropped if it is %s', (_name, sent) => {
    const { text, sawError } = relay(dialect, word + sent + word);
    expect(text).toBe(word + word);
    expect(sawError).toBe(false);
    expect(relay(dialect, word + sent + word, { largeBytes: 10 }).text).toBe(word + word);
  });

  it('is looked for only in events of another form, however the event is written', () => {
    const [, name = '', json = ''] = /^(event: .*\n)?data: (.*)/.exec(word) ?? [];
    // The object of an answer may have any member; its lines are unusual.
    const sent = `${name}data: {"detail":"my SECRET",\ndata: ${json.slice(1)}\n\n`;
    expect(cleanEvents(sent, RULES[dialect], redact)).toBe(sent);
    const other = sent.replaceAll(/choices|type/g, 'kind');
    expect(cleanEvents(other, RULES[dialect], redact)).toContain('my [redacted]');
  });

  it('is dropped from an event that has something else', () => {
    expect(relay(dialect, `: key SECRET\nid: 7\n${word}`).text).not.toContain('SECRET');
    expect(relay(dialect, `: key SECRET\nid: 7\n${word}`).text.endsWith(word.slice(-40))).toBe(true);
    expect(relay(dialect, `{"error":"SECRET"}\r${word}`).text).toBe(word);
  });

  it.each([
    ['pings', ': OPENROUTER PROCESSING\n\n: ping - 2026-11-23 19:00:00.000000+00:00\n\n:\n\n'],
    ['ids and times', 'id: 17\nretry: 3000\n\n'],
    ['an empty event', 'data:\n\ndata\n\n\n\n'],
    ['an object of another form', `event: x_ratelimit\n${event({ remaining: 5, note: 'ünder' })}`],
    ['pretty-printed JSON', 'data: {\ndata: "remaining": 5\ndata: }\n\n'],
  ])('leaves every byte of honest streams: %s', (_name, sent) => {
    for (const stream of [word + sent + word, `\uFEFF${word}${sent}`, (sent + word).replaceAll('\n', '\r\n')])
      for (const size of [1, 50, 100_000]) {
        const { text, sawError } = relay(dialect, stream, { size });
        expect(text).toBe(stream);
        expect(sawError).toBe(false);
      }
  });
});

it('searches the rest of a block once for the mark of the dialect, not once for each event', () => {
  const mark = /"choices"\s*:/g;
  const search = vi.spyOn(mark, 'test');
  const text = event({ remaining: 5 }).repeat(100) + WORD['openai-chat'];
  expect(cleanEvents(text, { ...RULES['openai-chat'], mark }, redact)).toBe(text);
  // Each unusual event is also searched separately.
  expect(search.mock.calls.filter(([searched]) => searched === text)).toHaveLength(1);
});
