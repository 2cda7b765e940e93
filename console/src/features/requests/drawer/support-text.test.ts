import { expect, it } from 'vitest';
import type { RequestDetail } from '../../../lib/trpc.ts';
import { renderSupportText } from './support-text.ts';

const FAILED: RequestDetail = {
  id: 'req_1',
  startedAt: '2026-11-28T03:00:00.123Z',
  keyId: 'key_1',
  keyName: 'server',
  keyPrefix: 'sk-abc',
  keyLast4: 'wxyz',
  endpoint: '/v1/chat/completions',
  model: 'gpt-5',
  streamed: true,
  isOpen: false,
  status: 503,
  errorCode: 'upstream_overloaded',
  errorMessage: 'Overloaded.',
  errorParam: null,
  outputTokens: 0,
  costNanoUsd: '0',
  latencyMs: 640,
  firstByteMs: null,
  queueMs: 2,
  holdMs: 0,
  connectMs: 0,
  estimated: false,
  recovered: false,
  client: 'curl 8.5.0',
  session: null,
  tokens: { input: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, output: 0 },
  heldNanoUsd: '0',
  chargesBalance: false,
  attempts: [
    {
      model: null,
      outcome: 'status_529',
      status: 529,
      durationMs: 120,
      waitMs: 0,
      credential: null,
      message: null,
      detail: null,
      errorType: 'overloaded_error',
      errorMessage: 'Overloaded.',
      requestId: null,
      next: 'other_route',
      why: null,
      route: null,
    },
    {
      model: null,
      outcome: 'cut',
      status: null,
      durationMs: 300,
      waitMs: 200,
      credential: null,
      message: null,
      detail: 'read ECONNRESET',
      errorType: null,
      errorMessage: null,
      requestId: 'req_011CS',
      next: 'none',
      why: 'max_attempts',
      route: { id: 'route_1', provider: 'acme', upstreamModel: 'gpt-5-2026' },
    },
  ],
  requestedModel: null,
  routeChoice: null,
  rawUsage: null,
  priceMismatch: null,
  reportedCostNanoUsd: null,
  cost: null,
  operatorCostNanoUsd: null,
};

it('has the ids, times, codes and attempts of a failed request', () => {
  expect(renderSupportText(FAILED, 'acct_1')).toBe(
    [
      'Request: req_1',
      'Account: acct_1',
      'Key: key_1 (server sk-abc…wxyz)',
      'Started: 2026-11-28T03:00:00.123Z (UTC)',
      'Endpoint: POST /v1/chat/completions, streamed',
      'Model: gpt-5',
      'Client: curl 8.5.0',
      'Status: 503',
      'Error: upstream_overloaded',
      'Message: Overloaded.',
      'Meaning: The provider is overloaded. Try again later.',
      'Latency: 640 ms',
      'Checks and limits: 2 ms',
      'Attempts:',
      '1. HTTP 529, 120 ms. overloaded_error: Overloaded. The gateway tried another route.',
      '2. disconnected, 300 ms, after a wait of 200 ms, provider request req_011CS, acme gpt-5-2026 route_1. read ECONNRESET. Not retried: the maximum number of attempts was reached.',
    ].join('\n'),
  );
});

it('leaves out what is unknown', () => {
  const text = renderSupportText(
    { ...FAILED, attempts: [], model: null, client: null, isOpen: true },
    'acct_1',
  );
  expect(text).not.toMatch(/null|undefined|Model|Client|Attempts|Latency/);
  expect(text).toContain('Status: in progress');
});
