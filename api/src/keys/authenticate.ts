import type { Clock } from '@tollgate/core/runtime/clock';
import { deny, type Result } from '@tollgate/core/errors/errors';
import type { Logger } from 'pino';
import type { Exchange } from '../exchange.ts';
import { checkKeyHash, hashPresentedKey } from './check-key.ts';
import type { CachedKey, KeyCache } from './key-cache.ts';

export interface AuthenticateOptions {
  keys: KeyCache;
  clock: Clock;
  log: Logger;
  isRefusing: () => boolean;
}

const SHUTTING_DOWN = deny('shutting_down', 'This process of Tollgate is shutting down. Try again.');

/** Finds the active key of a request. Synchronous if the key is cached; never rejects. */
export function authenticate(
  exchange: Exchange,
  { keys, clock, log, isRefusing }: AuthenticateOptions,
): Result<CachedKey> | Promise<Result<CachedKey>> {
  if (isRefusing()) return SHUTTING_DOWN;
  const { findings } = exchange;
  // The key itself is looked up for each request: it may have been revoked.
  if (findings !== undefined && findings.keyHash !== null)
    return denyUnreadable(checkKeyHash(findings.keyHash, keys, clock), log);
  const hash = hashPresentedKey(presentedKey(exchange));
  if (!hash.ok) return hash;
  if (findings !== undefined) findings.keyHash = hash.value;
  return denyUnreadable(checkKeyHash(hash.value, keys, clock), log);
}

/** Like {@link authenticate}, for a key found earlier: it may have been revoked during a wait. */
export function authenticateAgain(
  { hashHex }: CachedKey,
  { keys, clock, log }: AuthenticateOptions,
): Result<CachedKey> | Promise<Result<CachedKey>> {
  return denyUnreadable(checkKeyHash(hashHex, keys, clock), log);
}

function denyUnreadable(
  checked: Result<CachedKey> | Promise<Result<CachedKey>>,
  log: Logger,
): Result<CachedKey> | Promise<Result<CachedKey>> {
  if (!(checked instanceof Promise)) return checked;
  return checked.catch((error: unknown) => {
    log.error({ err: error }, 'a key could not be looked up');
    const message = 'Tollgate cannot check the key because its database does not respond. Try again.';
    return deny('ledger_unavailable', message);
  });
}

/** The key of a request: `Authorization: Bearer`, as documented, or `x-api-key`, as sent by Anthropic's SDK. */
function presentedKey(exchange: Exchange): string | null {
  const authorization = exchange.header('authorization');
  if (authorization !== null && /^bearer /i.test(authorization)) return authorization.slice(7).trim();
  return exchange.header('x-api-key') ?? authorization;
}
