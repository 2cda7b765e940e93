import type { AttemptRecord } from '@tollgate/core/money/ledger';
import type { TokenUsage } from '@tollgate/core/money/money';
import { NO_USAGE } from '@tollgate/core/money/money';
import { hasOutput } from '@tollgate/dialects/usage/billed-parts';
import type { KeyProfile, ModelProfile } from './profiles.ts';
import type { Random } from './random.ts';

/** A synthetic request without its account, cost and time. */
export interface DrawnRequest {
  model: ModelProfile;
  streamed: boolean;
  status: number;
  errorCode: string | null;
  errorMessage: string | null;
  errorParam: string | null;
  usage: TokenUsage;
  estimated: boolean;
  /** True: sent to a provider. */
  isForwarded: boolean;
  attempts: AttemptRecord[] | null;
  latencyMs: number;
  firstByteMs: number | null;
  queueMs: number | null;
  holdMs: number | null;
  connectMs: number | null;
}

export interface RequestTerms {
  key: KeyProfile;
  /** True: during a provider incident. */
  isIncident: boolean;
  routeId: string;
}

const FIRST_FAILS = 0.012;
const FAILS = 0.004;
const FIRST_FAILS_IN_INCIDENT = 0.3;
const FAILS_IN_INCIDENT = 0.25;
const CALLER_LEAVES = 0.02;

export function drawRequest(random: Random, { key, isIncident, routeId }: RequestTerms): DrawnRequest {
  const model = random.pick(key.models);
  const isChat = hasOutput(model.endpoint);
  const streamed = isChat && random.isTrue(key.streamedShare);
  const base = { model, streamed };
  if (random.isTrue(key.errorShare)) return { ...base, ...drawRefusal(random) };
  const failed = { routeId, model };
  if (random.isTrue(isIncident ? FAILS_IN_INCIDENT : FAILS))
    return { ...base, ...drawFailure(random, failed) };
  const usage = drawUsage(random, model);
  const connectMs = random.isTrue(0.92) ? 0 : whole(random.around(38, 0.4));
  const queueMs = whole(random.around(1.2, 0.6));
  const holdMs = random.isTrue(0.97) ? 0 : whole(random.around(4, 0.7));
  const isSecond = random.isTrue(isIncident ? FIRST_FAILS_IN_INCIDENT : FIRST_FAILS);
  const wastedMs = isSecond ? whole(random.around(700, 0.5)) : 0;
  const firstByteMs =
    queueMs +
    holdMs +
    connectMs +
    wastedMs +
    whole(random.around(model.firstByteMs * (isIncident ? 3 : 1), 0.42));
  const speed = random.around(model.outputTokensPerSecond, 0.25);
  const answer = { ...base, isForwarded: true, queueMs, holdMs, connectMs, firstByteMs };
  if (streamed && random.isTrue(CALLER_LEAVES)) {
    const outputTokens = Math.ceil(usage.outputTokens * random.next());
    const left = { status: 499, errorCode: 'client_gone', estimated: true, attempts: null, ...NO_ERROR };
    const latencyMs = firstByteMs + whole((outputTokens / speed) * 1000);
    return { ...answer, ...left, usage: { ...usage, outputTokens }, latencyMs };
  }
  const latencyMs = firstByteMs + whole((usage.outputTokens / speed) * 1000);
  const attempts = isSecond ? getFailover(failed, { wastedMs, latencyMs }) : null;
  return {
    ...answer,
    status: 200,
    errorCode: null,
    ...NO_ERROR,
    estimated: false,
    usage,
    latencyMs,
    attempts,
  };
}

type Ending = Omit<DrawnRequest, 'model' | 'streamed'>;

const NO_ERROR = { errorMessage: null, errorParam: null };

type Refusal = Pick<DrawnRequest, 'status' | 'errorCode' | 'errorMessage' | 'errorParam'>;

const RATE_LIMITED: Refusal = {
  status: 429,
  errorCode: 'rate_limit_requests',
  errorMessage: 'The key has reached its limit of requests per minute. Try again in 12 seconds.',
  errorParam: null,
};

const TOKENS_LIMITED: Refusal = {
  status: 429,
  errorCode: 'rate_limit_tokens',
  errorMessage: 'The key has reached its limit of tokens per minute. Try again in 20 seconds.',
  errorParam: null,
};

const INVALID_ROLE: Refusal = {
  status: 400,
  errorCode: 'invalid_request',
  errorMessage: 'messages.0.role must be one of system, developer, user, assistant, tool.',
  errorParam: 'messages.0.role',
};

const UNKNOWN_MEMBER: Refusal = {
  status: 400,
  errorCode: 'unsupported_parameter',
  errorMessage: 'No provider of this model supports logit_bias. Remove it, or use another model.',
  errorParam: 'logit_bias',
};

/** Draws a request that the gateway rejects: it is not sent to a provider and costs nothing. */
function drawRefusal(random: Random): Ending {
  const refusal = random.pick([
    [RATE_LIMITED, 6],
    [TOKENS_LIMITED, 2],
    [INVALID_ROLE, 3],
    [UNKNOWN_MEMBER, 1],
  ] as const);
  const nothing = { usage: NO_USAGE, estimated: false, isForwarded: false, attempts: null };
  const unknown = { firstByteMs: null, queueMs: null, holdMs: null, connectMs: null };
  return { ...nothing, ...unknown, ...refusal, latencyMs: whole(random.around(2, 0.4)) };
}

interface Failed {
  routeId: string;
  model: ModelProfile;
}

function drawFailure(random: Random, failed: Failed): Ending {
  const isTimeout = random.isTrue(0.3);
  const latencyMs = isTimeout ? 60_000 + whole(random.around(40, 0.5)) : whole(random.around(900, 0.6));
  const outcome = isTimeout ? 'timeout' : 'status_529';
  const tries = isTimeout ? 1 : 2;
  const attempt = getAttempt(failed, { outcome, status: isTimeout ? null : 529 });
  const said = isTimeout ? {} : OVERLOADED;
  return {
    status: isTimeout ? 504 : 503,
    errorCode: isTimeout ? 'upstream_timeout' : 'upstream_overloaded',
    errorMessage: isTimeout
      ? 'The provider of this model did not respond to Tollgate in time. Try again.'
      : 'Overloaded',
    errorParam: null,
    usage: NO_USAGE,
    estimated: false,
    isForwarded: true,
    attempts: Array.from({ length: tries }, (_, index) => ({
      ...attempt,
      ...said,
      durationMs: Math.floor(latencyMs / tries),
      ...(index < tries - 1
        ? { next: 'same_route' }
        : { next: 'none', why: isTimeout ? 'no_other_route' : 'max_attempts' }),
    })),
    latencyMs,
    firstByteMs: null,
    queueMs: 1,
    holdMs: 0,
    connectMs: 0,
  };
}

const OVERLOADED = { errorType: 'overloaded_error', errorMessage: 'Overloaded' };
const UNAVAILABLE = {
  errorType: 'service_unavailable',
  errorMessage: 'The server is temporarily unable to process your request.',
  next: 'same_route',
} as const;

function getFailover(failed: Failed, { wastedMs, latencyMs }: { wastedMs: number; latencyMs: number }) {
  return [
    { ...getAttempt(failed, { outcome: 'status_503', status: 503 }), ...UNAVAILABLE, durationMs: wastedMs },
    { ...getAttempt(failed, { outcome: 'answered', status: 200 }), durationMs: latencyMs - wastedMs },
  ];
}

function getAttempt({ routeId, model }: Failed, ended: Pick<AttemptRecord, 'outcome' | 'status'>) {
  return { route: routeId, provider: model.preset, upstreamModel: model.id, ...ended };
}

function drawUsage(random: Random, model: ModelProfile): TokenUsage {
  const input = whole(random.around(model.inputTokens, 0.7));
  const cacheReadTokens = random.isTrue(0.6) ? Math.floor(input * model.cacheReadShare * 1.6) : 0;
  const cacheWriteTokens =
    cacheReadTokens === 0 && random.isTrue(0.3) ? Math.floor(input * model.cacheWriteShare * 3) : 0;
  return {
    ...NO_USAGE,
    inputTokens: Math.max(1, input - cacheReadTokens - cacheWriteTokens),
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: model.outputTokens === 0 ? 0 : Math.max(1, whole(random.around(model.outputTokens, 0.8))),
  };
}

function whole(amount: number): number {
  return Math.round(amount);
}
