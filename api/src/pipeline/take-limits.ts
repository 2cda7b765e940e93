import { deny, type GatewayError, type Result } from '@tollgate/core/errors';
import type { ExpectedOutput } from '@tollgate/limits/expected-output';
import type {
  LimitDecision,
  LimitOwners,
  LimitStore,
  LimitTicket,
  OwnerStates,
} from '@tollgate/limits/limit-store';
import type { RelayRequest } from '@tollgate/dialects/relay-request';
import type { CachedKey } from '../keys/key-cache.ts';

/** What a request was taken out of. */
interface TakenLimits {
  ticket: LimitTicket;
  state: OwnerStates;
}

/** `taken` null: nothing limits the request. Where a limit is used up, `state` says how far each one is. */
export type LimitsOutcome =
  | { ok: true; taken: TakenLimits | null }
  | (Extract<Result<never>, { ok: false }> & { state: OwnerStates });

/** Of a request that nothing is taken for. */
export const UNLIMITED: LimitsOutcome = { ok: true, taken: null };

export interface TakeLimitsOptions {
  key: CachedKey;
  limits: LimitStore;
  expected: ExpectedOutput;
  request: RelayRequest;
  /** The likely input. */
  inputTokens: number;
}

/** Whose windows the requests of a key count in. */
export function ownersOf({ id, accountId, rpm, tpm, plan }: CachedKey): LimitOwners {
  return { accountId, keyId: id, key: { rpm, tpm }, account: { rpm: plan.rpm, tpm: plan.tpm } };
}

/**
 * Takes the request out of the limits of its key and of its account, or says which one is used up. Sync where limits are
 * kept in this process.
 */
export function takeLimits({
  key,
  limits,
  expected,
  request,
  inputTokens,
}: TakeLimitsOptions): LimitsOutcome | Promise<LimitsOutcome> {
  if (key.rpm === null && key.tpm === null && key.plan.rpm === null && key.plan.tpm === null)
    return UNLIMITED;
  const output = expected.expectedOutputTokens(request.model, request.maxOutputTokens) * request.choices;
  const decision = limits.take({ ...ownersOf(key), tokens: inputTokens + output });
  return decision instanceof Promise
    ? decision.then((decided) => toOutcome(key, decided))
    : toOutcome(key, decision);
}

function toOutcome(key: CachedKey, decision: LimitDecision): LimitsOutcome {
  if (decision.ok) return { ok: true, taken: decision };
  return { ok: false, error: refusal(key, decision), state: decision.state };
}

function refusal(key: CachedKey, refused: Extract<LimitDecision, { ok: false }>): GatewayError {
  const { owner, limit } = refused;
  const most = (owner === 'key' ? key : key.plan)[limit === 'requests' ? 'rpm' : 'tpm'] ?? 0;
  const whose =
    owner === 'key' ? 'This API key' : `The account's plan (${key.plan.id}), over all of its keys,`;
  if (refused.kind === 'never') {
    const message = `This request alone may need more than the ${most} tokens that ${whose.replace(/^T/, 't')} may use in a minute: send less, or ask for less output.`;
    return deny('request_exceeds_tpm', message).error;
  }
  const retryAfterSeconds = Math.ceil(refused.retryAfterMs / 1000);
  const again = `Try again in ${retryAfterSeconds} s.`;
  return limit === 'requests'
    ? deny('rate_limit_requests', `${whose} may make ${most} requests a minute, and has. ${again}`, {
        retryAfterSeconds,
      }).error
    : deny('rate_limit_tokens', `${whose} may use ${most} tokens a minute, and has. ${again}`, {
        retryAfterSeconds,
      }).error;
}
