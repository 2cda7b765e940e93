import { describe, expect, it } from 'vitest';
import { createInputTraits } from '../input-traits.ts';
import { decodeOpenAiResponsesRequest } from './decode-request.ts';
import { parseOpenAiResponsesRequest } from './parse-request.ts';

const parse = (body: unknown) => parseOpenAiResponsesRequest(JSON.stringify(body));

/** The parsed fields of a minimal request. */
const members: unknown = expect.objectContaining({ model: 'gpt-4o' });
const PLAIN = {
  conversationStart: expect.any(Number),
  maxOutputTokens: null,
  reasoning: null,
  choices: 1,
  members,
  conversation: null,
  ...createInputTraits(),
};

describe('parseOpenAiResponsesRequest', () => {
  it('sends store: false to the provider, and changes nothing else if nothing must change', () => {
    expect(parse({ model: 'gpt-4o', input: 'Hi' })).toEqual({
      ok: true,
      value: {
        ...PLAIN,
        model: 'gpt-4o',
        stream: false,
        wantsStreamUsage: true,
        forwardChanges: { store: 'false' },
        itemReferences: 'possible',
      },
    });
    expect(
      parse({ model: 'gpt-4o', input: [{ role: 'user', content: 'Hi' }], store: false, stream: true }),
    ).toEqual({
      ok: true,
      value: { ...PLAIN, model: 'gpt-4o', stream: true, wantsStreamUsage: true, forwardChanges: {} },
    });
  });

  it('reads the limit of output', () => {
    expect(parse({ model: 'm', input: 'Hi', max_output_tokens: 16 })).toMatchObject({
      value: { maxOutputTokens: 16 },
    });
  });

  it('reads the reasoning of the last item that updates it', () => {
    const update = (effort: string) => ({ type: 'configuration_update', reasoning: { effort } });
    const say = { role: 'user', content: 'Hi' };
    const reasoning = { effort: 'none' };
    expect(parse({ model: 'm', input: [say, update('none'), say, update('high')], reasoning })).toMatchObject(
      {
        value: { reasoning: 'on' },
      },
    );
    expect(parse({ model: 'm', input: [say], reasoning })).toMatchObject({ value: { reasoning: 'off' } });
  });

  it.each([
    ['previous_response_id', { previous_response_id: 'resp_1' }],
    ['conversation', { conversation: 'conv_1' }],
    ['background', { background: true }],
    ['prompt', { prompt: { id: 'pmpt_1' } }],
    [
      'input.1',
      {
        input: [
          { role: 'user', content: 'Hi' },
          { type: 'item_reference', id: 'msg_1' },
        ],
      },
    ],
  ])('refuses %s, here and in translated requests, and says what to do instead', (param, members) => {
    const body = { model: 'gpt-5', input: 'Hi', ...members };
    for (const refused of [parse(body), decodeOpenAiResponsesRequest(body)]) {
      expect(refused).toMatchObject({ ok: false, error: { code: 'unsupported_parameter', param } });
      expect(refused.ok ? '' : refused.error.message).toMatch(/(?:send|wait) /i);
    }
  });

  it.each([
    ['input.0', { id: 'msg_other' }],
    ['input.0', { type: null, id: 'msg_other', role: 'assistant' }],
    ['input.0', { type: 'Item_Reference', id: 'msg_other' }],
    ['input.0', { type: 'item_reference' }],
    ['input.0', { type: 'message', id: 'msg_other', status: 'completed', content: null }],
    ['input.0', { type: 'image_generation_call', id: 'ig_other', status: 'completed', action: 'edit' }],
    ['input.0', { type: 'reasoning', id: 'rs_other', summary: [] }],
    ['input.0', { type: 'reasoning', id: 'rs_other', summary: [], encrypted_content: '' }],
    ['input.0', { type: 'compaction', id: 'cmp_other', encrypted_content: null }],
    ['input.0', { type: 'function_call', id: 'fc_other', status: 'completed' }],
    [
      'input.0.approval_request_id',
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_other', approve: true },
    ],
  ])('refuses %s that only names an item stored at the provider: %j', (param, item) => {
    const body = { model: 'gpt-5', input: [item, { role: 'user', content: 'Hi' }] };
    for (const refused of [parse(body), decodeOpenAiResponsesRequest(body)])
      expect(refused).toMatchObject({ ok: false, error: { code: 'unsupported_parameter', param } });
  });

  it('takes items with content and an id', () => {
    const text = { type: 'output_text', text: 'Hello', annotations: [] };
    const input = [
      { role: 'user', content: 'Hi' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' },
      { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [text] },
      { type: 'message', id: 'msg_2', role: 'assistant', status: 'completed', content: [] },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'now', arguments: '{}' },
      { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: '' },
      { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' },
      { type: 'mcp_approval_request', id: 'mcpr_1', name: 'ask', arguments: '{}', server_label: 'docs' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
    ];
    expect(parse({ model: 'gpt-5', input })).toMatchObject({ ok: true });
  });

  it('takes members that are null or false for members that are not there', () => {
    const body = { model: 'm', input: 'Hi', store: null, previous_response_id: null, background: false };
    expect(parse(body).ok).toBe(true);
    expect(decodeOpenAiResponsesRequest(body).ok).toBe(true);
  });

  it.each([
    ['model', { input: 'Hi' }],
    ['input', { model: 'm' }],
    ['input', { model: 'm', input: '' }],
    ['input', { model: 'm', input: [] }],
    ['input.0', { model: 'm', input: ['Hi'] }],
    ['stream', { model: 'm', input: 'Hi', stream: 'yes' }],
    ['max_output_tokens', { model: 'm', input: 'Hi', max_output_tokens: 0 }],
    ['include', { model: 'm', input: 'Hi', include: 'all' }],
  ])('names %s if it is invalid', (param, body) => {
    expect(parse(body)).toMatchObject({ ok: false, error: { code: 'invalid_request', param } });
  });
});
