import { Buffer } from 'node:buffer';
import { NO_USAGE } from '@tollgate/core/money/money';
import { describe, expect, it } from 'vitest';
import { anthropicStreamRules } from '../anthropic-messages/stream-rules.ts';
import { openAiResponsesStreamRules } from '../openai-responses/stream-rules.ts';
import { StreamTap } from '../stream-tap.ts';
import { completeUsage } from './complete-usage.ts';
import { ToolTally } from './tool-tally.ts';
import { measurePartial } from './measure-partial.ts';

const INPUT = 100;
/** The usage of what a provider has sent so far, as it would be billed if no more came. */
function billStream(rules: typeof anthropicStreamRules, events: readonly object[]) {
  const tap = new StreamTap(rules);
  for (const event of events) tap.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
  const { report, outputTokens, tokensSinceReport, meter, tools } = tap;
  return completeUsage(report, {
    outputTokens,
    leastOutputTokens: meter.leastTokens,
    tokensSinceReport,
    tools,
    likelyInputTokens: INPUT,
    estimateInput: () => INPUT,
  });
}

const START = {
  type: 'message_start',
  message: { type: 'message', content: [], usage: { input_tokens: INPUT, output_tokens: 1 } },
};
const search = (index: number, name = 'web_search') => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'server_tool_use', id: `srvtoolu_${index}`, name, input: {} },
});
const found = (index: number) => ({
  type: 'content_block_start',
  index,
  content_block: {
    type: 'web_search_tool_result',
    tool_use_id: `srvtoolu_${index - 1}`,
    content: [{ type: 'web_search_result', encrypted_content: 'x'.repeat(1_600) }],
  },
});
const done = (usage: object) => ({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage });
const item = (type: string, id: string, event = 'added') => ({
  type: `response.output_item.${event}`,
  output_index: 0,
  item: { type, id, status: 'in_progress' },
});

describe('calls of server tools', () => {
  it('are counted as a message stream shows them, with the input of their results', () => {
    const events = [START, search(1), found(2), search(3), found(4), search(5, 'web_fetch')];
    const { usage, estimated } = billStream(anthropicStreamRules, events);
    expect(usage.extras?.toolCalls).toEqual({ web_search: 2, web_fetch: 1 });
    // 1,600 characters of base64 are 1,200 bytes, or 300 tokens. The page is not there yet.
    expect(usage.inputTokens).toBeGreaterThanOrEqual(INPUT + 2 * 300 + 2_500);
    expect(usage.inputTokens).toBeLessThan(INPUT + 2 * 320 + 2_500);
    expect(estimated).toBe(true);
  });

  it('are the calls that the provider reports at the end: a search that failed is not billed', () => {
    const usage = { output_tokens: 9, input_tokens: 5_000, server_tool_use: { web_search_requests: 1 } };
    const events = [START, search(1), found(2), search(3), found(4), done(usage)];
    const billed = billStream(anthropicStreamRules, events);
    expect(billed.usage).toMatchObject({ inputTokens: 5_000, extras: { toolCalls: { web_search: 1 } } });
    expect(billed.estimated).toBe(false);
  });

  it('are added to the calls of the last report if they come after it', () => {
    const usage = { output_tokens: 9, input_tokens: 5_000, server_tool_use: { web_search_requests: 1 } };
    const billed = billStream(anthropicStreamRules, [START, search(1), found(2), done(usage), search(3)]);
    expect(billed.usage).toMatchObject({ inputTokens: 13_000, extras: { toolCalls: { web_search: 2 } } });
    expect(billed.estimated).toBe(true);
  });

  it.each([
    ['web_search_call', 'web_search', 8_000],
    ['file_search_call', 'file_search', 16_000],
    ['code_interpreter_call', 'code_execution', 500],
    ['image_generation_call', 'image_generation', 0],
  ])('are counted once for each item of a response stream: %s', (type, tool, tokens) => {
    const events = [item(type, 'a'), item(type, 'a', 'done'), item(type, 'b'), item('reasoning', 'c')];
    const { usage, estimated } = billStream(openAiResponsesStreamRules, events);
    expect(usage).toMatchObject({ inputTokens: INPUT + 2 * tokens, extras: { toolCalls: { [tool]: 2 } } });
    expect(estimated).toBe(true);
  });

  it('are not those of a page that was only opened, which the model reads all the same', () => {
    const opened = { ...item('web_search_call', 'a', 'done').item, action: { type: 'open_page' } };
    const events = [item('web_search_call', 'a'), { type: 'response.output_item.done', item: opened }];
    const { usage } = billStream(openAiResponsesStreamRules, events);
    expect(usage.inputTokens).toBe(INPUT + 8_000);
    expect(usage.extras?.toolCalls ?? {}).toEqual({});
  });

  it('are those of the whole response once it is there', () => {
    const usage = { input_tokens: 9_000, output_tokens: 5 };
    const output = [{ type: 'web_search_call', id: 'a' }];
    const billed = billStream(openAiResponsesStreamRules, [
      item('web_search_call', 'a'),
      { type: 'response.completed', response: { output, usage } },
    ]);
    expect(billed).toMatchObject({
      usage: { inputTokens: 9_000, extras: { toolCalls: { web_search: 1 } } },
      estimated: false,
    });
  });

  it.each([
    ['image_generation_call', 'image_generation'],
    ['web_search_call', 'web_search'],
  ])('are billed if the response at the end does not repeat its items: %s', (type, tool) => {
    const usage = { input_tokens: 9_000, output_tokens: 5 };
    const events = [item(type, 'a'), item(type, 'a', 'done'), item(type, 'b', 'done')];
    for (const output of [[], [{ type, id: 'a' }], [{ type: 'message', id: 'c', content: [] }]]) {
      const end = { type: 'response.completed', response: { output, usage } };
      expect(billStream(openAiResponsesStreamRules, [...events, end])).toMatchObject({
        usage: { inputTokens: 9_000, extras: { toolCalls: { [tool]: 2 } } },
        estimated: false,
      });
    }
  });

  it('are the calls of items that the usage reports: xAI does not bill a search that failed', () => {
    const usage = {
      input_tokens: 9_000,
      output_tokens: 5,
      server_side_tool_usage_details: { web_search_calls: 1 },
    };
    const events = [item('web_search_call', 'a'), item('web_search_call', 'b')];
    const end = { type: 'response.completed', response: { output: [], usage } };
    const billed = billStream(openAiResponsesStreamRules, [...events, end]);
    expect(billed).toMatchObject({ usage: { extras: { toolCalls: { web_search: 1 } } }, estimated: false });
    const later = billStream(openAiResponsesStreamRules, [...events, end, item('web_search_call', 'c')]);
    // Nothing after the end is part of the response.
    expect(later).toMatchObject({ usage: { extras: { toolCalls: { web_search: 1 } } }, estimated: false });
  });

  it('end as the response at the end says: a page that was opened is not billed', () => {
    const usage = { input_tokens: 9_000, output_tokens: 5 };
    const output = [{ type: 'web_search_call', id: 'a', action: { type: 'open_page' } }];
    const end = { type: 'response.completed', response: { output, usage } };
    const { usage: billed } = billStream(openAiResponsesStreamRules, [item('web_search_call', 'a'), end]);
    expect(billed.extras?.toolCalls ?? {}).toEqual({});
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'are not found under names that every object has: %s',
    (name) => {
      const result = { type: `${name}_tool_result`, tool_use_id: 'a', content: 'x' };
      const call = { type: 'server_tool_use', id: 'a', name };
      const events = [call, result].map((content_block, index) => ({
        type: 'content_block_start',
        index,
        content_block,
      }));
      const { usage } = billStream(anthropicStreamRules, [START, ...events]);
      expect(usage.extras).toBeUndefined();
      const tally = new ToolTally();
      for (const event of events) tally.readEvent(event);
      expect(tally.addTo(NO_USAGE)).toEqual({ usage: NO_USAGE, isEstimated: false });
    },
  );

  it('are counted once if the ID of an item changes, and each if several items have one place', () => {
    const at = (event: string, index: number, id: string) => ({
      type: `response.output_item.${event}`,
      output_index: index,
      item: { type: 'image_generation_call', id },
    });
    const count = (events: readonly object[]) => {
      const tally = new ToolTally();
      for (const event of events) tally.readEvent(event as Record<string, unknown>);
      return tally.addTo(NO_USAGE).usage.extras?.toolCalls?.image_generation;
    };
    const parallel = [at('added', 0, 'a'), at('added', 1, 'b'), at('done', 1, 'd'), at('done', 0, 'c')];
    expect(count(parallel)).toBe(2);
    expect(count([at('added', 0, 'a'), at('done', 0, 'b'), at('added', 0, 'c'), at('done', 0, 'd')])).toBe(2);
    expect(count([at('added', 0, 'a'), at('added', 1, 'a')])).toBe(2);
    const output = ['e', 'f'].map((id) => ({ type: 'image_generation_call', id }));
    expect(count([...parallel, { type: 'response.completed', response: { output } }])).toBe(2);
  });

  it('are not mistaken for text that names them', () => {
    const text = 'She typed "web_search_call" and {"type":"server_tool_use","name":"web_search"}.';
    const block = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
    const delta = { type: 'response.output_text.delta', delta: text };
    expect(billStream(anthropicStreamRules, [START, block]).usage.extras).toBeUndefined();
    expect(billStream(openAiResponsesStreamRules, [delta]).usage.extras).toBeUndefined();
  });

  it.each([
    ['blocks', { content: [search(1).content_block, search(2).content_block], text: 'cut he' }],
    [
      'items',
      { output: [item('web_search_call', 'a').item, item('web_search_call', 'b').item], text: 'cut' },
    ],
  ])('are counted in the beginning of a whole answer: %s', (_, body) => {
    const bytes = Buffer.from(JSON.stringify(body).slice(0, -3));
    const { report, ...written } = measurePartial(bytes);
    const delivered = { likelyInputTokens: INPUT, estimateInput: () => INPUT, tokensSinceReport: 0 };
    const { usage } = completeUsage(report, { ...delivered, ...written });
    expect(usage).toMatchObject({ inputTokens: INPUT + 16_000, extras: { toolCalls: { web_search: 2 } } });
  });
});
