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
    [{ max_tokens: 7, max_completion_tokens: null }, 7],
    [{ max_tokens: 7, max_completion_tokens: 7 }, 7],
  ])('reads the limit of output from %j', (members, maxOutputTokens) => {
    expect(parse(members)).toMatchObject({ ok: true, value: { maxOutputTokens } });
  });

  it('refuses a limit that does not fit in 32 bits, whose cost could not be held', () => {
    expect(parse({ max_tokens: 2_147_483_647 })).toMatchObject({ ok: true });
    expect(parse({ max_tokens: Number.MAX_SAFE_INTEGER })).toMatchObject({
      ok: false,
      error: { code: 'invalid_request', param: 'max_tokens' },
    });
  });

  it('refuses two limits that differ, as providers differ in which they obey', () => {
    expect(parse({ max_tokens: 9, max_completion_tokens: 7 })).toMatchObject({
      ok: false,
      error: { code: 'invalid_request', param: 'max_tokens' },
    });
  });

  it('counts the answers that are written for the best of them', () => {
    expect(parse({ n: 2, best_of: 5 })).toMatchObject({ ok: true, value: { choices: 5 } });
    expect(parse({ best_of: 'x' })).toMatchObject({ ok: false, error: { param: 'best_of' } });
  });

  it.each([
    [{}, 1],
    [{ n: null }, 1],
    [{ n: 128 }, 128],
  ])('reads the number of requested answers from %j', (members, choices) => {
    expect(parse(members)).toMatchObject({ ok: true, value: { choices } });
  });

  it.each([0, -1, 1.5, 129, '2', true, [2]])('refuses %j as a number of answers', (n) => {
    expect(parse({ n })).toMatchObject({ ok: false, error: { code: 'invalid_request', param: 'n' } });
  });
});
