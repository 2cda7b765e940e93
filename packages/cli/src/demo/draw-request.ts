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
    const left = { status: 499, errorCode: 'client_gone', estimated: true, attempts: null };
    const latencyMs = firstByteMs + whole((outputTokens / speed) * 1000);
    return { ...answer, ...left, usage: { ...usage, outputTokens }, latencyMs };
  }
  const latencyMs = firstByteMs + whole((usage.outputTokens / speed) * 1000);
  const attempts = isSecond ? getFailover(failed, { wastedMs, latencyMs }) : null;
  return { ...answer, status: 200, errorCode: null, estimated: false, usage, latencyMs, attempts };
}

type Ending = Omit<DrawnRequest, 'model' | 'streamed'>;

/** Draws a request that the gateway rejects: it is not sent to a provider and costs nothing. */
function drawRefusal(random: Random): Ending {
  const [errorCode, status] = random.pick([
    [['rate_limit_requests', 429], 6],
    [['rate_limit_tokens', 429], 2],
    [['invalid_request', 400], 3],
    [['context_length_exceeded', 400], 1],
  ] as const);
  const nothing = { usage: NO_USAGE, estimated: false, isForwarded: false, attempts: null };
  const unknown = { firstByteMs: null, queueMs: null, holdMs: null, connectMs: null };
  return { ...nothing, ...unknown, status, errorCode, latencyMs: whole(random.around(2, 0.4)) };
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
  return {
    status: isTimeout ? 504 : 503,
    errorCode: isTimeout ? 'upstream_timeout' : 'upstream_overloaded',
    usage: NO_USAGE,
    estimated: false,
    isForwarded: true,
    attempts: Array.from({ length: tries }, () => ({
      ...attempt,
      durationMs: Math.floor(latencyMs / tries),
    })),
    latencyMs,
    firstByteMs: null,
    queueMs: 1,
    holdMs: 0,
    connectMs: 0,
  };
}

function getFailover(failed: Failed, { wastedMs, latencyMs }: { wastedMs: number; latencyMs: number }) {
  return [
    { ...getAttempt(failed, { outcome: 'status_503', status: 503 }), durationMs: wastedMs },
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
