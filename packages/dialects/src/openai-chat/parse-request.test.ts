import { describe, expect, it } from 'vitest';
import { parseOpenAiChatRequest } from './parse-request.ts';

const parse = (members: object) =>
  parseOpenAiChatRequest(
    JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...members }),
  );

describe('parseOpenAiChatRequest', () => {
  it.each([
    [{}, null],
    [{ max_tokens: null, max_completion_tokens: null }, null],
    [{ max_tokens: 7 }, 7],
    [{ max_completion_tokens: 9 }, 9],
    [{ max_tokens: 7, max_completion_tokens: 9 }, 9],
    [{ max_tokens: 9, max_completion_tokens: 7 }, 9],
  ])('reads of %j the larger limit of output', (members, maxOutputTokens) => {
    expect(parse(members)).toMatchObject({ ok: true, value: { maxOutputTokens } });
  });

  it.each([
    [{}, 1],
    [{ n: null }, 1],
    [{ n: 128 }, 128],
  ])('reads of %j how many answers are asked for', (members, choices) => {
    expect(parse(members)).toMatchObject({ ok: true, value: { choices } });
  });

  it.each([0, -1, 1.5, 129, '2', true, [2]])('refuses %j as a number of answers', (n) => {
    expect(parse({ n })).toMatchObject({ ok: false, error: { code: 'invalid_request', param: 'n' } });
  });
});
