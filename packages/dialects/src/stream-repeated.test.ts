import { Buffer } from 'node:buffer';
import { threadTimeMs } from '@tollgate/testing/thread-time';
import { describe, expect, it } from 'vitest';
import { anthropicStreamRules } from './anthropic-messages/stream-rules.ts';
import { createOpenAiStreamRules } from './openai-chat/stream-rules.ts';
import { openAiResponsesStreamRules } from './openai-responses/stream-rules.ts';
import type { StreamRules } from './stream-rules.ts';
import { StreamTap } from './stream-tap.ts';

const TEXT = 'What the caller wrote. '.repeat(50);
const chatRules = createOpenAiStreamRules(true);

function createMeter(rules: StreamRules, event: object, largeBytes?: number) {
  const tap = new StreamTap(rules, undefined, largeBytes === undefined ? {} : { largeBytes });
  tap.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
  return tap.meter;
}

describe('the output of a model in a stream', () => {
  it.each<[string, StreamRules, object]>([
    [
      'chat',
      chatRules,
      { choices: [], metadata: { content: TEXT }, tools: [{ input: { arguments: TEXT } }] },
    ],
    [
      'chat: debug',
      chatRules,
      { choices: [], debug: { echo_upstream_body: { messages: [{ content: TEXT }] } } },
    ],
    [
      'messages',
      anthropicStreamRules,
      { type: 'message_start', message: { metadata: { text: TEXT }, tools: [{ thinking: TEXT }] } },
    ],
    [
      'responses',
      openAiResponsesStreamRules,
      {
        type: 'response.created',
        response: { metadata: { delta: TEXT }, tools: [{ parameters: { default: { delta: TEXT } } }] },
      },
    ],
    [
      'responses: the format of its text',
      openAiResponsesStreamRules,
      { type: 'response.in_progress', response: { text: { format: { schema: { delta: TEXT } } } } },
    ],
    [
      'responses: an unknown member',
      openAiResponsesStreamRules,
      { type: 'response.completed', response: { output: [], usage: null, echo: [{ delta: TEXT }] } },
    ],
    [
      'responses: the list of a server’s tools',
      openAiResponsesStreamRules,
      {
        type: 'response.output_item.done',
        item: { type: 'mcp_list_tools', id: 'l', tools: [{ input_schema: { delta: TEXT, text: TEXT } }] },
      },
    ],
  ])('excludes repetitions of the request: %s', (_name, rules, event) => {
    for (const largeBytes of [undefined, 10])
      expect(createMeter(rules, event, largeBytes)).toMatchObject({ bytes: 0, pieces: 0 });
  });

  it('is found in any place of an event, after values of any form', () => {
    const tap = new StreamTap(openAiResponsesStreamRules);
    const nested = String.raw`"item":{"delta":"no"},"list":[{"delta":"no"}],"text":"{\"delta\":\"no\"}"`;
    tap.push(
      Buffer.from(`event: a\ndata: {${nested},"delta":"Hello"}\n\ndata: {"delta":"Hello",${nested}}\n\n`),
    );
    tap.push(
      Buffer.from(`event: a\r\ndata: {\r\ndata: ${nested},\r\ndata: "delta": "Hello"\r\ndata: }\r\n\r\n`),
    );
    expect(tap.meter.bytes).toBe('Hello'.length * 3);
  });

  it('is found in time proportional to the repetition of the request', () => {
    const metadata = Array.from({ length: 4_000 }, () => ({ delta: 'x' }));
    const event = `data: ${JSON.stringify({ type: 'response.created', response: { metadata, more: metadata } })}\n\n`;
    const tap = new StreamTap(openAiResponsesStreamRules, undefined, { largeBytes: Infinity });
    expect(threadTimeMs(() => tap.push(Buffer.from(event)))).toBeLessThan(50);
    expect(tap.meter.pieces).toBe(0);
  });
});
