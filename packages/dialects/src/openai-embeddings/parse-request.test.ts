import { describe, expect, it } from 'vitest';
import { createInputTraits } from '../input-traits.ts';
import { decodeOpenAiEmbeddingsUsage } from './decode-usage.ts';
import { parseOpenAiEmbeddingsRequest } from './parse-request.ts';

const parse = (body: object) => parseOpenAiEmbeddingsRequest(JSON.stringify({ model: 'embedder', ...body }));

describe('a request for embeddings', () => {
  it.each<[string, unknown, number]>([
    ['a text', 'twelve bytes', 3],
    ['a text beyond ASCII', 'éé', 1],
    ['texts', ['one', 'four'], 2],
    ['tokens', [1, 2, 3, 4, 5], 5],
    ['lists of tokens', [[1, 2], [3]], 3],
  ])('may hold %s', (_, input, inputTokens) => {
    expect(
      parse({ input, encoding_format: 'base64', dimensions: 256, user: 'u', input_type: 'query' }),
    ).toEqual({
      ok: true,
      value: {
        model: 'embedder',
        stream: false,
        wantsStreamUsage: false,
        forwardChanges: {},
        maxOutputTokens: 0,
        choices: 1,
        inputTokens,
        conversation: null,
        members: {
          model: 'embedder',
          encoding_format: 'base64',
          dimensions: 256,
          user: 'u',
          input_type: 'query',
        },
        ...createInputTraits(),
      },
    });
  });

  it('may hold 2,048 inputs, and not one more', () => {
    const inputs = (length: number) => parse({ input: Array.from({ length }, () => 'a') });
    expect(inputs(2_048)).toMatchObject({ ok: true });
    expect(inputs(2_049)).toMatchObject({
      ok: false,
      error: { code: 'invalid_request', param: 'input', message: 'input: must hold at most 2048 entries.' },
    });
  });

  it.each<[string, object, string]>([
    ['no input', {}, 'input'],
    ['an empty text', { input: '' }, 'input'],
    ['no text at all', { input: [] }, 'input'],
    ['an empty text among others', { input: ['a', ''] }, 'input.1'],
    ['no tokens', { input: [[1], []] }, 'input.1'],
    ['half a token', { input: [[1], [2, 1.5]] }, 'input.1.1'],
    ['an object', { input: {} }, 'input'],
    ['dimensions of none', { input: 'a', dimensions: 0 }, 'dimensions'],
    ['a format that is none', { input: 'a', encoding_format: 'hex' }, 'encoding_format'],
    ['a user who is no text', { input: 'a', user: 7 }, 'user'],
    ['no model', { input: 'a', model: '' }, 'model'],
  ])('may not hold %s', (_, body, param) => {
    expect(parse(body)).toMatchObject({ ok: false, error: { code: 'invalid_request', param } });
  });
});

describe('the usage of embeddings', () => {
  it('is the input, under either name, and null if it reports none', () => {
    const getInput = (usage: unknown) => decodeOpenAiEmbeddingsUsage({ usage })?.usage.inputTokens ?? null;
    expect(getInput({ prompt_tokens: 8, total_tokens: 8 })).toBe(8);
    expect(getInput({ prompt_tokens: 8, total_tokens: 9, completion_tokens: 1 })).toBe(8);
    expect(getInput({ total_tokens: 8 })).toBe(8);
    expect(getInput({ prompt_tokens: 0, total_tokens: 0 })).toBeNull();
    expect(getInput(undefined)).toBeNull();
  });
});
