import { NO_USAGE } from '@tollgate/core/money/money';
import { expect, it } from 'vitest';
import { judgeCheck } from './judge-check.ts';

const BOTH = { ...NO_USAGE, inputTokens: 16, outputTokens: 16 };
const judge = (status: number, body: object | string) =>
  judgeCheck(
    { kind: 'answer', status, text: typeof body === 'string' ? body : JSON.stringify(body) },
    'openai-chat',
  );
const CHOICES = [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }];

it('takes the usage and the cost that the provider reports, else the most that it can be', () => {
  const usage = { prompt_tokens: 12, completion_tokens: 1, cost: 0.000002 };
  expect(judge(200, { choices: CHOICES, usage })).toEqual({
    result: 'answered',
    error: null,
    usage: { ...NO_USAGE, inputTokens: 12, outputTokens: 1 },
    reportedCostNanoUsd: 2_000n,
  });
  expect(judge(200, { choices: CHOICES })).toMatchObject({ usage: BOTH, reportedCostNanoUsd: null });
});

it('takes a model that only reasoned for one that answers', () => {
  const message =
    'Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.';
  expect(judge(400, { error: { message } })).toMatchObject({ result: 'answered', usage: BOTH });
});

it.each([
  [503, { error: { message: 'overloaded' } }, { result: 'failed', error: 'status_503', usage: NO_USAGE }],
  [429, '', { result: 'refused', error: 'status_429', usage: NO_USAGE }],
  [401, '', { result: 'refused', error: 'status_401', usage: NO_USAGE }],
  [404, '', { result: 'refused', error: 'status_404', usage: NO_USAGE }],
  [101, '', { result: 'refused', error: 'status_101', usage: NO_USAGE }],
  [200, '<html>', { result: 'failed', error: 'unreadable', usage: BOTH }],
  [200, { error: { message: 'overloaded' } }, { result: 'failed', error: 'unreadable', usage: BOTH }],
])('judges status %i with %j', (status, body, verdict) => {
  expect(judge(status, body)).toMatchObject(verdict);
});

it.each([
  ['connect', false, NO_USAGE],
  ['timeout', true, BOTH],
  // While it connected.
  ['timeout', false, NO_USAGE],
  ['cut', true, BOTH],
] as const)('counts what a provider may bill after %s, if it was sent: %s', (kind, isSent, usage) => {
  const failure = { kind, detail: 'x' };
  expect(judgeCheck({ kind: 'failure', failure, isSent }, 'anthropic-messages')).toMatchObject({
    result: 'failed',
    error: kind,
    usage,
  });
});

it.each([
  [true, BOTH],
  [false, NO_USAGE],
])('counts what a provider may bill for a check that was ended, if it was sent: %s', (isSent, usage) => {
  expect(judgeCheck({ kind: 'stopped', isSent }, 'openai-chat')).toMatchObject({
    result: 'stopped',
    error: null,
    usage,
  });
});
