import { Buffer } from 'node:buffer';
import { assembleCompletion } from '@tollgate/testing/assemble-completion';
import { describe, expect, it } from 'vitest';
import { createSseParser } from '../sse/parse-events.ts';
import { createOpenAiResponsesStreamDecoder } from './decode-stream.ts';

describe('a stream that does not end well', () => {
  const decode = (text: string) => {
    const decoder = createOpenAiResponsesStreamDecoder();
    const events = createSseParser().push(Buffer.from(text));
    return [...events.flatMap((event) => decoder.push(event)), ...decoder.finish()];
  };

  it('is an error if the provider closes it early', () => {
    const created = { type: 'response.created', response: { id: 'resp_1', model: 'm', output: [] } };
    expect(decode(`data: ${JSON.stringify(created)}\n\n`)).toMatchObject([
      { type: 'start' },
      { type: 'error', message: 'The provider ended the stream before the answer was complete.' },
    ]);
  });

  it.each([
    ['nested', { type: 'error', error: { code: 'rate_limit_exceeded', message: 'Slow down' } }],
    ['flat', { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down', param: null }],
    [
      'in the response',
      { type: 'response.failed', response: { error: { code: 'rate_limit_exceeded', message: 'Slow down' } } },
    ],
  ])('is reported by an error that is %s', (_name, event) => {
    expect(decode(`data: ${JSON.stringify(event)}\n\n`)).toEqual([
      { type: 'error', kind: 'rate_limit_error', message: 'Slow down', code: 'rate_limit_exceeded' },
    ]);
  });
});

describe('a stream of a provider that sends fewer events', () => {
  const read = (events: readonly object[]) => {
    const decoder = createOpenAiResponsesStreamDecoder();
    const decoded = events.flatMap((event) => decoder.push({ event: null, data: JSON.stringify(event) }));
    return assembleCompletion([...decoded, ...decoder.finish()]).choices[0];
  };
  const begun = { type: 'response.created', response: { id: 'resp_1', model: 'm' } };
  const text = {
    type: 'output_text',
    text: 'Hi',
    annotations: [{ type: 'url_citation', url: 'https://a.b' }],
  };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [text] };
  const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' };
  const reasoningItem = {
    id: 'rs_1',
    type: 'reasoning',
    summary: [],
    content: [{ type: 'reasoning_text', text: 'Hm' }],
  };
  const output = [reasoningItem, message, call];
  const whole = {
    content: [
      { type: 'thinking', text: 'Hm', signature: null },
      { type: 'text', text: 'Hi', citations: [{ url: 'https://a.b' }] },
      { type: 'tool_call', id: 'call_1', name: 'f', arguments: '{}' },
    ],
    finish: { type: 'tool_calls' },
  };

  it('is read only from its last event', () => {
    expect(read([begun, { type: 'response.completed', response: { output } }])).toMatchObject(whole);
  });

  it('is read from items that come whole, and once if they come twice', () => {
    const done = output.map((item, index) => ({
      type: 'response.output_item.done',
      output_index: index,
      item,
    }));
    expect(read([begun, ...done, { type: 'response.completed', response: { output } }])).toMatchObject(whole);
  });

  it('is read by the ids of its items if it does not name their places', () => {
    const deltas = [
      { type: 'response.reasoning_text.delta', item_id: 'rs_1', content_index: 0, delta: 'Hm' },
      { type: 'response.output_item.done', item: reasoningItem },
      { type: 'response.output_text.delta', item_id: 'msg_1', content_index: 0, delta: 'Hi' },
      { type: 'response.output_item.done', item: message },
      { type: 'response.output_item.added', item: { ...call, arguments: '' } },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: '{}' },
      { type: 'response.output_item.done', item: call },
    ];
    expect(read([begun, ...deltas, { type: 'response.completed', response: { output } }])).toMatchObject(
      whole,
    );
  });

  it('puts the parts of a summary into one reasoning part', () => {
    const deltas = ['One', 'Two'].map((delta, index) => ({
      type: 'response.reasoning_summary_text.delta',
      output_index: 0,
      summary_index: index,
      delta,
    }));
    const item = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAAA' };
    const done = { type: 'response.output_item.done', output_index: 0, item };
    expect(read([begun, ...deltas, done, { type: 'response.completed', response: {} }])).toMatchObject({
      content: [{ type: 'thinking', text: 'One\n\nTwo', signature: expect.stringMatching(/^reasoning/) }],
    });
  });
});
