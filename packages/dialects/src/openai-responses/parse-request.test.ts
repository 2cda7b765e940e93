import { describe, expect, it } from 'vitest';
import { createInputTraits } from '../input-traits.ts';
import { decodeOpenAiResponsesRequest } from './decode-request.ts';
import { parseOpenAiResponsesRequest } from './parse-request.ts';

const parse = (body: unknown) => parseOpenAiResponsesRequest(JSON.stringify(body));

/** What is known of a request that says little. */
const members: unknown = expect.objectContaining({ model: 'gpt-4o' });
const PLAIN = { maxOutputTokens: null, choices: 1, members, ...createInputTraits() };

describe('parseOpenAiResponsesRequest', () => {
  it('tells the provider to keep nothing, and says nothing else where nothing must change', () => {
    expect(parse({ model: 'gpt-4o', input: 'Hi' })).toEqual({
      ok: true,
      value: {
        ...PLAIN,
        model: 'gpt-4o',
        stream: false,
        wantsStreamUsage: true,
        forwardChanges: { store: 'false' },
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

  it('asks models that reason for what the caller must send back, beside what it asked for itself', () => {
    const request = {
      model: 'openai/gpt-5.2',
      input: 'Hi',
      store: false,
      include: ['code_interpreter_call.outputs'],
    };
    expect(parse(request)).toMatchObject({
      value: {
        forwardChanges: { include: '["code_interpreter_call.outputs","reasoning.encrypted_content"]' },
      },
    });
    expect(parse({ ...request, include: ['reasoning.encrypted_content'] })).toMatchObject({
      value: { forwardChanges: {} },
    });
  });

  it.each([
    ['store', { store: true }],
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
  ])('refuses %s, here and where requests are translated, and says what to do instead', (param, members) => {
    const body = { model: 'gpt-5', input: 'Hi', ...members };
    for (const refused of [parse(body), decodeOpenAiResponsesRequest(body)]) {
      expect(refused).toMatchObject({ ok: false, error: { code: 'unsupported_parameter', param } });
      expect(refused.ok ? '' : refused.error.message).toMatch(/(?:Send|Wait) /);
    }
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
  ])('names %s where it is at fault', (param, body) => {
    expect(parse(body)).toMatchObject({ ok: false, error: { code: 'invalid_request', param } });
  });
});
