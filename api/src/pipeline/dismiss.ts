import type { GatewayError } from '@tollgate/core/errors/errors';
import type { TokenUsage } from '@tollgate/core/money/money';
import { getErrorFormat } from '../errors/render-error.ts';
import { sendError } from '../errors/send-error.ts';
import type { RelayContext } from './relay.ts';
import { asLost } from './settlement-values.ts';

/**
 * Ends the caller's response with an error, in the stream if one has begun. The provider's response can be read on for its
 * usage: later writes to the caller are discarded.
 * @param usage so far, billed if this process dies in the meantime; null: unknown
 */
export function dismiss(
  context: Pick<RelayContext, 'exchange' | 'spec' | 'settlement' | 'stream'>,
  error: GatewayError,
  { hasBegun, usage }: { hasBegun: boolean; usage: TokenUsage | null },
): void {
  const { exchange, spec, settlement, stream } = context;
  const isStarted = hasBegun || stream.isOpen;
  const format = getErrorFormat(spec.dialect);
  // A stream has begun with 200.
  settlement.noteCutShort({
    status: isStarted ? 200 : format.getStatus(error),
    errorCode: error.code,
    error,
  });
  if (usage !== null) settlement.checkpoint(asLost(usage));
  if (isStarted) stream.fail(context, error);
  else sendError(exchange, spec.dialect, error);
}
