import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import type { Result } from '@tollgate/core/errors/errors';
import { NO_USAGE } from '@tollgate/core/money/money';
import { anthropicStreamRules } from '@tollgate/dialects/anthropic-messages/stream-rules';
import { estimateDescribedInput } from '@tollgate/dialects/input-tokens/estimate-input-tokens';
import { BASE_CONTRACTS } from '@tollgate/dialects/contract/base-contracts';
import { judgeStatus } from '@tollgate/upstreams/routing/retry-policy';
import { messagesEndpoint, type EndpointSpec, type LocalAnswer, type LocalQuestion } from '../endpoints.ts';

/** Statuses of a server that does not count tokens: its other endpoints may still work. */
const NOT_THERE: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * `POST /v1/messages/count_tokens`: relayed to a provider that counts tokens, free of charge; if none answers, the gateway
 * estimates them.
 */
export const countTokensEndpoint: EndpointSpec = {
  dialect: 'anthropic-messages',
  endpoint: '/v1/messages/count_tokens',
  contract: BASE_CONTRACTS.messages,
  isMetered: false,
  hasStreams: false,
  forwardedHeaders: messagesEndpoint.forwardedHeaders,
  checkModel: () => null,
  resolveEndpoint: (route) => route.countTokens,
  // A server that cannot count may still serve completions.
  breakerId: (route) => `${route.id} count_tokens`,
  judgeStatus: (status) => (NOT_THERE.has(status) ? 'misconfigured' : judgeStatus(status)),
  streamRules: () => anthropicStreamRules,
  isAnswer: (body) => typeof body['input_tokens'] === 'number',
  decodeUsage: () => null,
  completeUsage: () => ({ usage: NO_USAGE, estimated: false }),
  countInput: () => Promise.resolve(null),
  answerLocally: (question) => estimateCount(question, (tokens) => ({ input_tokens: tokens })),
};

/** @param encode the body of the response for a number of tokens */
export async function estimateCount(
  question: LocalQuestion,
  encode: (tokens: number) => object,
): Promise<LocalAnswer> {
  const { body, inputTokens } = question;
  const counted: Result<number> =
    body.length > BODY_LIMITS.maxCountedBytes ? { ok: true, value: inputTokens } : await countInput(question);
  if (!counted.ok) return counted;
  const headers = { 'x-tollgate-cost': '0.00', 'x-tollgate-estimated': 'true' };
  return { ok: true, value: { body: JSON.stringify(encode(counted.value)), headers } };
}

async function countInput({ key, request, describeInput, routes }: LocalQuestion): Promise<Result<number>> {
  // Either name may show which vendor's model it is.
  const model = [...routes.map(({ upstreamModel }) => upstreamModel), request.model].join(' ');
  const described = await describeInput(model);
  if (described === null) return { ok: true, value: 0 };
  if (!described.ok) return described;
  const countFor = { owner: key.accountId, purpose: 'estimate' } as const;
  const { tokens } = await estimateDescribedInput(described.value, model, countFor);
  return { ok: true, value: tokens };
}
