import { describe, expect, it } from 'vitest';
import type { Route } from '../catalogue/route.ts';
import { toOwnError } from './own-credential-error.ts';
import { BUSY, MISCONFIGURED_PROVIDER, NO_CREDIT_AT_PROVIDER } from './upstream-failure.ts';

const [OWN, OPERATORS] = [true, false].map((isOwn) => ({ isOwn }) as Route) as [Route, Route];

describe.each([
  ['a refused credential', MISCONFIGURED_PROVIDER, 'refused your'],
  ['an account without credit', NO_CREDIT_AT_PROVIDER, 'has no credit. Top it up'],
])('the error about %s', (_, error, text) => {
  it.each([
    ['alone', {}],
    ['if another route may answer later', { retryAfterMs: 1500 }],
  ])('is about the credential of the account: %s', (_when, hint) => {
    const own = toOwnError(OWN, { ...error, ...hint });
    expect(own).toEqual({
      code: 'own_credential_refused',
      message: expect.stringContaining(text) as string,
      ...hint,
    });
  });

  it("stays as it is if the credential is the operator's", () => {
    expect(toOwnError(OPERATORS, error)).toBe(error);
  });
});

it('leaves other errors as they are', () => {
  expect(toOwnError(OWN, BUSY)).toBe(BUSY);
});
