import type { GatewayError } from '@tollgate/core/errors/errors';
import { BackgroundExchange } from '../background/background-exchange.ts';
import { LockedExchange } from '../conversations/locked-exchange.ts';
import { refuse as refuseOn } from '../pipeline/relay.ts';
import type { Forward } from './launch-completion.ts';

/** Gives a request the exchange that ends its use of what the account stores. */
export function withExchange(forward: Forward, isBackground: boolean): Forward {
  const { spec, settlement, turn, body } = forward;
  const background = isBackground ? new BackgroundExchange(forward.exchange, turn) : null;
  const exchange =
    background ?? (turn === null ? forward.exchange : new LockedExchange(forward.exchange, turn));
  const refuse = (error: GatewayError) =>
    refuseOn({ exchange, spec, settlement, body, request: { model: '' } }, error);
  return { ...forward, exchange, refuse, background };
}
