import { describe, expect, it } from 'vitest';
import type { AttemptFailure } from './attempt-failure.ts';
import { findCredentialRefusal, isAboutCredential } from './credential-failure.ts';
import { MISCONFIGURED_PROVIDER, NO_CREDIT_AT_PROVIDER, UNREADABLE_ANSWER } from './upstream-failure.ts';

const fail = (status: number | null, error: AttemptFailure['error'] = UNREADABLE_ANSWER): AttemptFailure => ({
  error,
  outcome: `status_${status}`,
  status,
  blame: 'route',
  isRetryable: false,
  retryAfterMs: null,
});

describe('a failure that may be about the credential', () => {
  it.each<[string, AttemptFailure, string | null, string | null]>([
    ['a 401', fail(401, MISCONFIGURED_PROVIDER), null, 'refused'],
    ['a 402', fail(402, NO_CREDIT_AT_PROVIDER), null, 'no_credit'],
    ['a 403 about the account', fail(403, MISCONFIGURED_PROVIDER), 'Your account is closed.', 'refused'],
    ['a 403 about a model', fail(403, MISCONFIGURED_PROVIDER), 'No access to the model gpt-5.', null],
    ['a 403 about several models', fail(403, MISCONFIGURED_PROVIDER), 'No access to these Models.', null],
    ['a 403 that says nothing', fail(403, MISCONFIGURED_PROVIDER), null, null],
    ['a 429 about the credit', fail(429, NO_CREDIT_AT_PROVIDER), 'You have no credit.', 'no_credit'],
    ['a 429 about the rate', fail(429), 'Slow down.', null],
    ['a 500', fail(500), null, null],
  ])('sets it aside or not: %s', (_, failure, message, cause) => {
    expect(findCredentialRefusal(failure, message)?.cause ?? null).toBe(cause);
  });

  it.each<[AttemptFailure, boolean]>([
    [fail(401), true],
    [fail(403), true],
    [fail(429), true],
    [fail(null, NO_CREDIT_AT_PROVIDER), true],
    [fail(500), false],
    [fail(null), false],
  ])('lets another credential of the provider be tried at once: %#', (failure, isAbout) => {
    expect(isAboutCredential(failure)).toBe(isAbout);
  });
});
