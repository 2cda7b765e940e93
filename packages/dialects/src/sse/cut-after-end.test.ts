import { describe, expect, it } from 'vitest';
import { anthropicStreamRules } from '../anthropic-messages/stream-rules.ts';
import { parseJsonObject } from '../json/parse-object.ts';
import { createOpenAiStreamRules } from '../openai-chat/stream-rules.ts';
import { openAiResponsesStreamRules } from '../openai-responses/stream-rules.ts';
import type { StreamRules } from '../stream-rules.ts';
import { cutAfterEnd } from './cut-after-end.ts';
import { readEvents } from './read-events.ts';

const CHUNK = 'data: {"choices":[{"delta":{"content":"an error"},"finish_reason":null}],"usage":null}\n\n';
const DELTA = 'event: content_block_delta\ndata: {"type":"content_block_delta","delta":{"text":"a"}}\n\n';
const TEXT = 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"a"}\n\n';
const PIECES = [
  CHUNK,
  DELTA,
  TEXT,
  ': a comment\n\n',
  '\n',
  '\r\n\r\n',
  'data: [DONE]\n\n',
  'data:[DONE]  \r\n\r\n',
  'id: 7\ndata: [DONE]\n\n',
  'data: {"choices":[{"delta":{"content":"data: [DONE]"}}]}\n\n',
  'data: {"error":null,"choices":[]}\n\n',
  'data: {"error":{"message":"no"}}\n\n',
  String.raw`data: {"\u0065rror":{"message":"no"}}` + '\n\n',
  'data: {"choices":[{"finish_reason":"error"}]}\n\n',
  'data: {"type":"error"}\n\n',
  'event:  error\ndata: {"message":"no"}\n\n',
  'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  'data: {"type":"message_stop"}\n\n',
  'event: response.completed\r\ndata: {"type":"response.completed"}\r\n\r\n',
  'data: {"type":"response.incomplete","response":{"error":null}}\n\n',
  'data: {"type":"response.in_progress","response":{"status":"failed"}}\n\n',
  'data: {"type":"response.incomplete","response":{}}\n\n',
  'data: {"status":"failed"}\n\n',
  'data: {"response":{"status":"failed"}}\n\n',
  'data: {"type":"response.created","response":{"error" : null}}\n\n',
];
const DIALECTS: [string, StreamRules][] = [
  ['chat', createOpenAiStreamRules(true)],
  ['messages', anthropicStreamRules],
  ['responses', openAiResponsesStreamRules],
];

/** Parses every event. */
function cutSlowly(text: string, rules: StreamRules): string {
  for (const { start, end, name, data } of readEvents(text)) {
    if (rules.findTerminator(text.slice(start, end)) >= 0) return text.slice(0, end);
    const event = parseJsonObject(data);
    const facts = event === null ? null : rules.readEvent(event, null, name);
    if (facts?.isEnd === true || facts?.isError === true) return text.slice(0, end);
  }
  return text;
}

function* randomTexts(count: number): Generator<string> {
  let seed = 7;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let at = 0; at < count; at++)
    yield Array.from({ length: next(6) }, () => PIECES[next(PIECES.length)] ?? '').join('');
}

describe.each(DIALECTS)('the end of a response: %s', (_, rules) => {
  it('is where every event is parsed', () => {
    let cuts = 0;
    for (const text of randomTexts(1_500)) {
      const cut = cutAfterEnd(text, rules);
      expect([text, cut]).toEqual([text, cutSlowly(text, rules)]);
      if (cut !== text) cuts += 1;
    }
    expect(cuts).toBeGreaterThan(150);
  });
});

it('parses no event of a response that has no error and came at once', () => {
  let parsed = 0;
  const rules = createOpenAiStreamRules(true);
  const counting: StreamRules = {
    ...rules,
    readEvent(...args) {
      parsed += 1;
      return rules.readEvent(...args);
    },
  };
  const response = `${CHUNK.repeat(60)}data: [DONE]\n\n`;
  expect(cutAfterEnd(`${response}${CHUNK}`, counting)).toBe(response);
  expect(parsed).toBe(0);
});
