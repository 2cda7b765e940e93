import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { anthropicStreamRules } from './anthropic-messages/stream-rules.ts';
import { createOpenAiStreamRules } from './openai-chat/stream-rules.ts';
import { openAiResponsesStreamRules } from './openai-responses/stream-rules.ts';
import { getText } from './stream-tap.fixture.ts';
import { StreamTap } from './stream-tap.ts';
import type { StreamRules } from './stream-rules.ts';

const chunk = (content: string) =>
  `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}},"finish_reason":null}],"usage":null}\n\n`;
const OPENAI_TEXT = chunk('Say "usage": {} and\n\ndata: [DONE]') + chunk(' more');
const OPENAI_USAGE =
  'data: {"choices":[],"usage":{"prompt_tokens":20,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":5}}}\n\n';
const FINISH = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
const DONE = 'data: [DONE]\n\n';

const ANTHROPIC = [
  'event: message_start\ndata: {"type":"message_start","message":{"usage":{"input_tokens":25,"cache_read_input_tokens":4,"output_tokens":1}}   }\n\n',
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"event: message_stop\\n \\"error\\""}}\n\n',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}}\n\n',
  'event: message_stop\ndata: {"type":"message_stop"  }\n\n',
].join('');

/** Feeds a stream in pieces of `size` bytes. */
function feed(rules: StreamRules, text: string, size: number) {
  const tap = new StreamTap(rules);
  const bytes = Buffer.from(text);
  const out: string[] = [];
  for (let at = 0; at < bytes.length; at += size) out.push(getText(tap.push(bytes.subarray(at, at + size))));
  const end = tap.finish();
  out.push(getText(end.rest));
  return { tap, isClean: end.isClean, text: Buffer.from(out.join(''), 'latin1').toString() };
}

const sizes = [1, 2, 3, 7, 50, 100_000];

describe.each(sizes)('StreamTap, fed %i bytes at a time', (size) => {
  it('relays a chat stream byte for byte and reads its usage', () => {
    const text = OPENAI_TEXT + OPENAI_USAGE + DONE;
    const result = feed(createOpenAiStreamRules(true), text, size);
    expect(result.text).toBe(text);
    expect(result.isClean).toBe(true);
    expect(result.tap.report?.usage).toEqual({
      inputTokens: 15,
      cacheReadTokens: 5,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: 7,
    });
  });

  it.each([
    ['chat', createOpenAiStreamRules(true), OPENAI_TEXT + OPENAI_USAGE + DONE, chunk('late')],
    ['messages', anthropicStreamRules, ANTHROPIC, ANTHROPIC],
  ])(
    'passes nothing on after the end of a stream, and does not count it: %s',
    (_name, rules, whole, late) => {
      const { tap, text, isClean } = feed(rules, whole + late, size);
      expect({ text, isClean, since: tap.tokensSinceReport }).toEqual({
        text: whole,
        isClean: true,
        since: 0,
      });
      expect(tap.outputTokens).toBe(feed(rules, whole, size).tap.outputTokens);
    },
  );

  it('passes nothing on after an error, and does not count it', () => {
    const error = 'data: {"error":{"message":"It broke."}}\n\n';
    const { tap, text } = feed(
      createOpenAiStreamRules(true),
      `${chunk('Hi')}${error}${chunk('more')}${OPENAI_USAGE}${DONE}`,
      size,
    );
    expect(text).toBe(chunk('Hi') + error);
    expect({ sawError: tap.sawError, report: tap.report, tokens: tap.outputTokens }).toEqual({
      sawError: true,
      report: null,
      tokens: 1,
    });
  });

  it('hides the usage chunk that the caller did not request, and nothing else', () => {
    const result = feed(createOpenAiStreamRules(false), OPENAI_TEXT + OPENAI_USAGE + DONE, size);
    expect(result.text).toBe(OPENAI_TEXT + DONE);
    expect(result.tap.report?.usage.outputTokens).toBe(7);
  });

  it('keeps a usage that comes with a choice or with CRLF line ends', () => {
    const text = `data: {"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}\r\n\r\n`;
    const result = feed(createOpenAiStreamRules(false), text, size);
    expect(result.text).toBe(text + DONE);
    expect(result.isClean).toBe(true);
    expect(result.tap.report?.usage.outputTokens).toBe(2);
  });

  it('takes a chat stream that was cut after its finish reason and before its usage for a broken one', () => {
    const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
    const cut = feed(createOpenAiStreamRules(true), OPENAI_TEXT + finish + chunk('late').slice(0, -2), size);
    expect(cut.isClean).toBe(false);
    const whole = feed(createOpenAiStreamRules(true), OPENAI_TEXT + finish + OPENAI_USAGE, size);
    expect(whole.isClean).toBe(true);
  });

  it.each([
    { what: 'nothing', after: '' },
    { what: 'its usage', after: OPENAI_USAGE },
    { what: 'its usage and a comment', after: `${OPENAI_USAGE}: cost: 1\n\n` },
    { what: 'an empty chunk and its usage', after: `data: {"choices":[]}\n\n${OPENAI_USAGE}` },
    { what: 'many comments', after: ': waiting for more\n\n'.repeat(2_000) },
  ])('adds [DONE] to a chat stream with $what after its finish reason', ({ after }) => {
    const text = OPENAI_TEXT + FINISH + after;
    const result = feed(createOpenAiStreamRules(true), text, size);
    expect([result.isClean, result.tap.terminated, result.text]).toEqual([true, true, text + DONE]);
  });

  it.each(['', '\n'])('completes the last event of a chat stream that ends with %j', (end) => {
    const result = feed(createOpenAiStreamRules(true), OPENAI_TEXT + FINISH.trimEnd() + end, size);
    expect(result.text).toBe(OPENAI_TEXT + FINISH + DONE);
  });

  it.each(['d', 'data:', '\n'])(
    'adds [DONE] to a chat stream that is cut after its finish reason and %j',
    (cut) => {
      const result = feed(createOpenAiStreamRules(true), OPENAI_TEXT + FINISH + cut, size);
      // A blank line of the provider may stay.
      const written = result.text.replace(/\n{3,}/, '\n\n');
      expect([result.isClean, written]).toEqual([true, OPENAI_TEXT + FINISH + DONE]);
    },
  );

  it('reads the usage of a message stream from its start and its delta', () => {
    const result = feed(anthropicStreamRules, ANTHROPIC, size);
    expect(result.text).toBe(ANTHROPIC);
    expect(result.isClean).toBe(true);
    expect(result.tap.sawError).toBe(false);
    expect(result.tap.report?.usage).toEqual({
      inputTokens: 25,
      cacheReadTokens: 4,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: 15,
    });
  });

  it('reports a broken end for every cut of a message stream before message_stop, and passes only whole events', () => {
    const stop = ANTHROPIC.indexOf('event: message_stop\ndata');
    const result = feed(anthropicStreamRules, ANTHROPIC.slice(0, stop - 3), size);
    expect(result.isClean).toBe(false);
    expect(result.text === '' || result.text.endsWith('\n\n')).toBe(true);
  });

  it("knows the provider's own error event", () => {
    const error =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';
    const result = feed(anthropicStreamRules, error, size);
    expect(result.tap.sawError).toBe(true);
    expect(result.isClean).toBe(true);
  });
});

describe('StreamTap', () => {
  it('estimates output from what was relayed if no usage came', () => {
    const { tap } = feed(createOpenAiStreamRules(true), chunk('one') + chunk('four'.repeat(100)), 100_000);
    expect(tap.outputTokens).toBeGreaterThanOrEqual(1);
  });

  it.each([
    ['with the finish reason', true, { finish_reason: 'stop' }, { prompt_tokens: 9, completion_tokens: 7 }],
    [
      'in the middle of the response',
      false,
      { finish_reason: null },
      { prompt_tokens: 9, completion_tokens: 7 },
    ],
    ['without the output', false, { finish_reason: 'stop' }, { prompt_tokens: 9 }],
  ])('takes usage that comes %s for final: %s', (_, isFinal, choice, usage) => {
    const event = { choices: [{ index: 0, delta: {}, ...choice }], usage };
    const { tap } = feed(createOpenAiStreamRules(true), `data: ${JSON.stringify(event)}\n\n`, 100_000);
    expect(tap.report?.usage.inputTokens).toBe(9);
    expect(tap.isReportFinal).toBe(isFinal);
  });

  it('does not take usage for final if text follows', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 7 };
    const reported = `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
    const rules = createOpenAiStreamRules(true);
    expect(feed(rules, chunk('one') + reported, 100_000).tap.isReportFinal).toBe(true);
    expect(feed(rules, chunk('one') + reported + chunk('two'), 100_000).tap.isReportFinal).toBe(false);
  });
});

it.each([
  ['openai-chat', createOpenAiStreamRules(true), 'data: [DONE]\n\n'],
  ['anthropic-messages', anthropicStreamRules, 'event: message_stop\ndata: {"type":"message_stop"}\n\n'],
  [
    'openai-responses',
    openAiResponsesStreamRules,
    'event: response.completed\ndata: {"type":"response.completed","response":{}}\n\n',
  ],
] as const)('sees the terminator of %s wherever it is in a read', (_dialect, rules, end) => {
  const event = 'data: {"type":"other","text":"no [DONE], no message_stop, no response.completed"}\n\n';
  for (const [read, isTerminated] of [
    [event, false],
    [event + end, true],
    [end + event, true],
    [`${event}${end}: bye\n\n`, true],
    [event + end.replaceAll('\n', '\r\n') + event, true],
  ] as const) {
    const tap = new StreamTap(rules);
    tap.push(Buffer.from(read));
    expect([read, tap.terminated]).toEqual([read, isTerminated]);
    if (isTerminated) expect(tap.finish().isClean).toBe(true);
  }
});

it.each(['usage', 'usageMetadata', 'usage_metadata'])('reads the usage of a chat stream in %s', (name) => {
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
  const reported = { choices: [], [name]: usage };
  const { tap } = feed(
    createOpenAiStreamRules(true),
    `data: ${JSON.stringify(reported)}\n\ndata: [DONE]\n\n`,
    1000,
  );
  expect(tap.report?.usage).toMatchObject({ inputTokens: 11, outputTokens: 7 });
});

it('takes the end of a chat stream for a broken one if the model wrote after its finish reason', () => {
  const tap = new StreamTap(createOpenAiStreamRules(true));
  for (const events of [FINISH, OPENAI_TEXT, OPENAI_USAGE]) tap.push(Buffer.from(events));
  expect([tap.finish().isClean, tap.terminated]).toEqual([false, false]);
});

describe('an error that is repeated', () => {
  const error = 'event: error\ndata: {"type":"error","error":{"message":"Too much"}}\n\n';
  const failed =
    'event: response.failed\ndata: {"type":"response.failed","response":{"error":{"code":"x"}}}\n\n';
  const text =
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"Hi"}\n\n';

  it.each([
    ['in one piece', [text + error + failed]],
    ['in two pieces', [text + error, failed]],
    ['behind other events', [text, error + text, text + failed + text]],
  ])('is passed on with its repetition, and nothing else: %s', (_name, pieces) => {
    const tap = new StreamTap(openAiResponsesStreamRules);
    const out = pieces.map((piece) => getText(tap.push(Buffer.from(piece)))).join('');
    expect(out).toBe(text + error + failed);
    expect(tap).toMatchObject({ sawError: true, terminated: true, awaitsRepeat: false });
    expect(tap.meter.bytes).toBe(2);
  });
});
