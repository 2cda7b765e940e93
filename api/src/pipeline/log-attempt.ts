import type { UpstreamFailure } from '@tollgate/upstreams/transport/transport';
import type { AttemptContext } from './attempt-context.ts';

type Logged = Pick<AttemptContext, 'log' | 'relay' | 'route'>;

/** Logs that the connection to a provider failed. */
export function logFailure({ log, relay, route }: Logged, failure: UpstreamFailure): void {
  if (failure.kind === 'busy') return;
  log.warn(
    { requestId: relay.exchange.requestId, provider: route.provider.name, ...failure },
    'an attempt failed',
  );
}

/** Logs what a provider says about the operator's account, if it refuses the account. */
export function logRefusal({ log, relay, route }: Logged): void {
  const { refusal } = relay.settlement.attempts;
  if (refusal === null) return;
  log.warn(
    { requestId: relay.exchange.requestId, provider: route.provider.name, refusal },
    'a provider refuses the account of the gateway',
  );
}

/** Logs an error of the gateway. */
export function logError({ log, relay }: Logged, error: unknown, text: string): void {
  log.error({ requestId: relay.exchange.requestId, err: error }, text);
}
