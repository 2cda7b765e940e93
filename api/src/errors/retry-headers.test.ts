import { ERROR_TABLE, getRetryAfterMs, type ErrorCode } from '@tollgate/core/errors/errors';
import { describe, expect, it } from 'vitest';
import { getRetryHeaders, relayRetryHeaders } from './retry-headers.ts';

function getRelayed(
  status: number,
  given: Record<string, string>,
  otherWaitMs: number | null = null,
): Record<string, string> {
  const set: Record<string, string> = {};
  const exchange = { setHeader: (name: string, value: string) => void (set[name] = value) };
  relayRetryHeaders(exchange, { status, header: (name) => given[name] ?? null, otherWaitMs });
  return set;
}

describe('an error of the gateway', () => {
  const codes = Object.keys(ERROR_TABLE) as ErrorCode[];
  /** Errors that end without a change of the request, of the key or of its account. */
  const PASSING: readonly ErrorCode[] = [
    'request_timeout',
    'rate_limit_requests',
    'rate_limit_tokens',
    'rate_limit_bodies',
    'rate_limit_background',
    'conversation_locked',
    'budget_reserved',
    'upstream_error',
    'upstream_overloaded',
    'upstream_paused',
    'upstream_busy',
    'upstream_timeout',
    'ledger_unavailable',
    'gateway_overloaded',
    'shutting_down',
    'internal_error',
  ];

  it.each(codes)('%s says whether a retry can help', (code) => {
    const headers = getRetryHeaders(getRetryAfterMs({ code }));
    if (!PASSING.includes(code)) expect(headers).toEqual({ 'x-should-retry': 'false' });
    else {
      expect(headers).not.toHaveProperty('x-should-retry');
      expect(Number(headers['retry-after-ms'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after']) * 1_000).toBeGreaterThanOrEqual(
        Number(headers['retry-after-ms']),
      );
    }
  });

  it('names its own wait, or says that it is permanent', () => {
    const code = 'upstream_error';
    expect(getRetryHeaders(getRetryAfterMs({ code, retryAfterMs: null }))).toEqual({
      'x-should-retry': 'false',
    });
    expect(getRetryHeaders(getRetryAfterMs({ code, retryAfterMs: 1_234.5 }))).toEqual({
      'retry-after': '2',
      'retry-after-ms': '1235',
    });
  });
});

describe("a provider's error", () => {
  it.each([
    { 'retry-after': '7' },
    { 'retry-after': '0.5' },
    { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' },
    { 'retry-after-ms': '1500' },
    { 'x-should-retry': 'false' },
  ])('keeps a retry header of the standard form: %j', (headers) => {
    expect(getRelayed(429, headers)).toEqual(headers);
  });

  it.each(['retry-after', 'retry-after-ms', 'x-should-retry'])(
    'keeps no other text of a provider in %s, which may be a credential',
    (name) => {
      const usual = { 'retry-after': '1', 'retry-after-ms': '1000' };
      for (const value of ['sk-prov-secret', '7 sk-prov-secret', 'true,sk-prov-secret', '', '-1', '1e3'])
        expect(getRelayed(503, { [name]: value })).toEqual(usual);
    },
  );

  it.each([400, 401, 402, 403, 404, 413, 415, 422])('says that %i would be repeated', (status) => {
    expect(getRelayed(status, {})).toEqual({ 'x-should-retry': 'false' });
    expect(getRelayed(status, { 'x-should-retry': 'true' })).toEqual({ 'x-should-retry': 'true' });
  });

  it('has the wait of another route if that is shorter', () => {
    const other = { 'retry-after': '1', 'retry-after-ms': '500' };
    expect(getRelayed(429, { 'retry-after': '7' }, 500)).toEqual(other);
    expect(getRelayed(529, { 'x-should-retry': 'false' }, 500)).toEqual(other);
    expect(getRelayed(529, {}, 500)).toEqual(other);
    expect(getRelayed(429, { 'retry-after': '7' }, 9_000)).toEqual({ 'retry-after': '7' });
    expect(getRelayed(400, {}, 500)).toEqual({ 'x-should-retry': 'false' });
  });

  it.each([408, 409, 429, 500, 502, 503, 529])('says when to repeat %i', (status) => {
    expect(getRelayed(status, {})).toEqual({ 'retry-after': '1', 'retry-after-ms': '1000' });
  });
});
