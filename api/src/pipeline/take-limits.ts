import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import type {
  LimitDecision,
  LimitOwners,
  LimitStore,
  LimitTicket,
  OwnerStates,
} from '@tollgate/limits/limit-store';
import type { EndpointSpec } from '../endpoints.ts';
import type { CachedKey } from '../keys/key-cache.ts';
import { ownersFor } from './limit-owners.ts';

/** The limits that a request was counted in. */
interface TakenLimits {
  ticket: LimitTicket;
  state: OwnerStates;
}

/** `taken` null: no limits apply. If a limit is exceeded, `state` reports all of them. */
export type LimitsOutcome =
  | { ok: true; taken: TakenLimits | null }
  | (Extract<Result<never>, { ok: false }> & { state: OwnerStates });

const UNLIMITED: LimitsOutcome = { ok: true, taken: null };

/** The owner of the windows, and their store. */
export interface LimitsSource {
  key: CachedKey;
  spec: Pick<EndpointSpec, 'isMetered'>;
  limits: LimitStore;
}

/**
 * Counts the request in the limits of its key and account, or reports the exceeded one. Synchronous if limits are kept in
 * this process.
 * @param tokens the likely input and output; 0 for a rejected request, which counts only as a request
 */
export function takeLimits(source: LimitsSource, tokens: number): LimitsOutcome | Promise<LimitsOutcome> {
  const { key, spec, limits } = source;
  const owners = ownersFor(spec, key);
  if (owners === null) return UNLIMITED;
  const decision = limits.take({ ...owners, tokens });
  return decision instanceof Promise
    ? decision.then((decided) => toOutcome(source, owners, decided, tokens))
    : toOutcome(source, owners, decision, tokens);
}

/**
 * Checks whether a limit is already exceeded, before a large body is read. Counts nothing unless a window changed between
 * the check and the answer.
 * @returns the refusal, or null
 */
export async function findUsedUpLimit(source: LimitsSource): Promise<Refused | null> {
  const owners = ownersFor(source.spec, source.key);
  if (owners === null) return null;
  const { key, account } = await source.limits.peek(owners);
  const isUsedUp = [key.requests, key.tokens, account.requests, account.tokens].some(
    (window) => window?.remaining === 0,
  );
  if (!isUsedUp) return null;
  const outcome = await takeLimits(source, 1);
  if (!outcome.ok) return outcome;
  if (outcome.taken !== null) source.limits.trueUp(outcome.taken.ticket, 0);
  return null;
}

export type Refused = Extract<LimitsOutcome, { ok: false }>;

function toOutcome(
  source: LimitsSource,
  owners: LimitOwners,
  decision: LimitDecision,
  tokens: number,
): LimitsOutcome {
  if (decision.ok) return { ok: true, taken: decision };
  return { ok: false, error: refusal(source, owners, decision, tokens), state: decision.state };
}

/** Names the exceeded window: whose it is, its unit and its value. */
function refusal(
  { key, spec }: LimitsSource,
  owners: LimitOwners,
  refused: Extract<LimitDecision, { ok: false }>,
  needed: number,
): GatewayError {
  if (refused.kind === 'unavailable')
    return deny('gateway_overloaded', 'The limits of this request could not be checked in time. Try again.')
      .error;
  const { owner, limit } = refused;
  const most = owners[owner][limit === 'requests' ? 'rpm' : 'tpm'] ?? 0;
  const plan = `account's Tollgate plan (${key.plan.id}, over all of its keys)`;
  if (refused.kind === 'never') {
    const whose = owner === 'key' ? 'this Tollgate API key' : `the ${plan}`;
    const message = `This request alone may need ${needed} tokens, more than the limit of ${whose}: ${most} tokens per minute (TPM). Send less input, or lower the output maximum.`;
    return deny('request_exceeds_tpm', message).error;
  }
  const whose = owner === 'key' ? 'This Tollgate API key' : `The ${plan}`;
  const retryAfterMs = Math.ceil(refused.retryAfterMs);
  const again = `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`;
  if (limit === 'requests') {
    const requests = spec.isMetered ? 'requests' : 'free requests (such as token counts)';
    const message = `${whose} has reached its limit of ${most} ${requests} per minute (RPM). ${again}`;
    return deny('rate_limit_requests', message, { retryAfterMs }).error;
  }
  const left = refused.state[owner].tokens?.remaining ?? 0;
  const message = `${whose} has a limit of ${most} tokens per minute (TPM): ${left} are left, and this request may need ${needed}. ${again}`;
  return deny('rate_limit_tokens', message, { retryAfterMs }).error;
}
