import type { GatewayError } from '@tollgate/core/errors/errors';
import { awaitPlace } from '@tollgate/upstreams/routing/coordinated/await-place';
import { UNLIMITED_PLACE, type ProviderPlace } from '@tollgate/upstreams/routing/provider-concurrency';
import type { Route } from '../catalogue/route.ts';
import { Attempt, type AttemptOwner } from './attempt.ts';
import type { ExecuteContext } from './execute-context.ts';
import type { ContinuedRelay } from './attempt-context.ts';
import { tryForward, type ForwardedRequest } from './forwarded-request.ts';
import type { RelayContext } from './relay.ts';
import { toOwnError } from './own-credential-error.ts';
import { BUSY, PLACE_ASKED, restingError } from './upstream-failure.ts';

interface EnterOptions {
  owner: AttemptOwner;
  isGated: boolean;
  /** Another attempt is running: the place must be certain, because that one may be given up for it. */
  isBeside?: boolean;
  /** Creates the writer of the rest of a stream; absent: the response is written from its beginning. */
  continueWith?: (relay: RelayContext, forwarded: ForwardedRequest) => ContinuedRelay;
}

/**
 * Creates an attempt on a route, with a place at its provider.
 * @returns the error if the route cannot take the request now; null: it can never take it
 */
export function enterRoute(
  context: ExecuteContext,
  route: Route,
  options: EnterOptions,
): Attempt | GatewayError | null {
  const { owner, isGated, isBeside = false } = options;
  const { upstreams, log, key, spec } = context;
  const forwarded = tryForward(context, route);
  if (forwarded === null) return null;
  if (!forwarded.ok) return forwarded.error;
  const { provider } = route;
  const usual = provider.kind === 'demo' ? upstreams.demo : upstreams.transports.of(provider);
  const place = takePlace(context, route, isBeside);
  if (place === null) return BUSY;
  if (place === 'asked') return PLACE_ASKED;
  const transport = place.granted === null ? usual : awaitPlace(usual, place.granted);
  const breakerId = spec.breakerId(route);
  if (!upstreams.breakers.tryPass(breakerId, key.accountId)) {
    place.release();
    return toOwnError(route, restingError(upstreams.breakers.getLastError(breakerId, key.accountId)));
  }
  const { dropped } = forwarded.value;
  const relay = dropped.length === 0 ? context : { ...context, dropped };
  const continued = options.continueWith?.(relay, forwarded.value) ?? null;
  const attempt = { relay, route, forwarded: forwarded.value, transport, log, place, isGated, continued };
  return new Attempt(attempt, owner);
}

function takePlace(
  { upstreams, key }: ExecuteContext,
  { provider }: Route,
  isBeside: boolean,
): ProviderPlace | 'asked' | null {
  if (provider.kind === 'demo') return UNLIMITED_PLACE;
  const { concurrency } = upstreams;
  const { id, maxConcurrency } = provider;
  return isBeside
    ? concurrency.tryAcquireGranted(id, maxConcurrency, key.accountId)
    : concurrency.tryAcquire(id, maxConcurrency, key.accountId);
}
