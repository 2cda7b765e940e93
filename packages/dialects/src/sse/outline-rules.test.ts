import { Buffer } from 'node:buffer';
import { NO_USAGE } from '@tollgate/core/money/money';
import { describe, expect, it } from 'vitest';
import { anthropicStreamRules } from '../anthropic-messages/stream-rules.ts';
import { getCodec } from '../codec.ts';
import { createOpenAiStreamRules } from '../openai-chat/stream-rules.ts';
import { openAiResponsesStreamRules } from '../openai-responses/stream-rules.ts';
import type { StreamRules } from '../stream-rules.ts';
import { StreamTap } from '../stream-tap.ts';
import { translatingRules } from './outline-rules.ts';
import { createSseParser } from './parse-events.ts';

const LONG = 'A line of "text".\n'.repeat(12_000);
/** Arguments of a tool, in members with the names of members that outlines leave out elsewhere. */
const WRITTEN = {
  prompt: LONG,
  output: LONG,
  result: 'short',
  tools: [{ name: 'a', metadata: { text: { instructions: 'b' } } }],
  tool_choice: 'none',
  logprobs: [1, 2],
  nested: [{ input: { url: LONG }, diff: LONG }],
};
const getStart = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block });
const getItem = (item: object) => ({ type: 'response.output_item.done', output_index: 0, item });
const getDelta = (delta: object) => ({ choices: [{ index: 0, delta, finish_reason: null }] });
const sse = (event: object) => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);

const chatRules = createOpenAiStreamRules(true);
const EVENTS: [name: string, rules: StreamRules, event: object][] = [
  [
    'input of a tool_use block',
    anthropicStreamRules,
    getStart({ type: 'tool_use', id: 't', name: 'f', input: WRITTEN }),
  ],
  [
    'arguments that are an object',
    chatRules,
    getDelta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: WRITTEN } }] }),
  ],
  [
    'action of a shell call',
    openAiResponsesStreamRules,
    getItem({
      type: 'local_shell_call',
      id: 's',
      action: { command: ['echo', LONG], env: { prompt: LONG } },
    }),
  ],
  [
    'operation of a patch',
    openAiResponsesStreamRules,
    getItem({
      type: 'apply_patch_call',
      id: 'p',
      operation: { type: 'update_file', path: 'a', diff: LONG, metadata: { a: 1 } },
    }),
  ],
];

describe('what the model wrote in a large event', () => {
  it.each(EVENTS)('is translated as it came: %s', (_name, _rules, event) => {
    const [parsed] = createSseParser(translatingRules(() => true)).push(sse(event));
    expect(JSON.parse(parsed?.data ?? '')).toEqual(event);
  });

  it('reaches the decoder of a tool call unchanged', () => {
    const decoder = getCodec('anthropic-messages').createStreamDecoder();
    decoder.push({ event: 'message_start', data: '{"type":"message_start","message":{}}' });
    const call = getStart({ type: 'tool_use', id: 't', name: 'f', input: WRITTEN });
    const stop = { type: 'content_block_stop', index: 0 };
    const events = createSseParser(translatingRules(() => false)).push(Buffer.concat([sse(call), sse(stop)]));
    const decoded = events.flatMap((event) => decoder.push(event));
    const json = decoded.map((event) => (event.type === 'arguments_delta' ? event.json : '')).join('');
    expect(JSON.parse(json)).toEqual(WRITTEN);
  });

  it.each(EVENTS)('is measured as in a small one: %s', (_name, rules, event) => {
    const measured = [undefined, Infinity].map((largeBytes) => {
      const tap = new StreamTap(rules, undefined, largeBytes === undefined ? {} : { largeBytes });
      tap.push(sse(event));
      return tap.meter.bytes;
    });
    expect(measured[0]).toBeGreaterThan(LONG.length);
    expect(measured[0]).toBe(measured[1]);
  });
});

describe('the result of a server tool in a large event', () => {
  const page = 'word '.repeat(60_000);
  const getInput = (content: unknown, type: string, largeBytes?: number) => {
    const tap = new StreamTap(
      anthropicStreamRules,
      undefined,
      largeBytes === undefined ? {} : { largeBytes },
    );
    tap.push(sse(getStart({ type, tool_use_id: 't', content })));
    return tap.tools.addTo(NO_USAGE).usage.inputTokens;
  };

  it.each<[string, string, object]>([
    [
      'a page',
      'web_fetch_tool_result',
      {
        type: 'web_fetch_result',
        content: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: page } },
      },
    ],
    [
      'search results',
      'web_search_tool_result',
      [{ type: 'web_search_result', encrypted_content: page, url: 'https://a.example' }],
    ],
    [
      'output of a program',
      'bash_code_execution_tool_result',
      { type: 'bash_code_execution_result', stdout: page, stderr: '', metadata: { text: page } },
    ],
  ])('is counted as input like that of a small one: %s', (_name, type, content) => {
    const whole = getInput(content, type, Infinity);
    expect(whole).toBeGreaterThan(50_000);
    expect(getInput(content, type) / whole).toBeCloseTo(1, 2);
  });
});
