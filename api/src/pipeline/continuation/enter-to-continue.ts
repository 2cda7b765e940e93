import type { GatewayError } from '@tollgate/core/errors/errors';
import { getFirstTokenLimitMs } from '../../catalogue/model-routing.ts';
import type { Route } from '../../catalogue/route.ts';
import type { Attempt, AttemptOwner } from '../attempt.ts';
import { enterRoute } from '../enter-route.ts';
import type { Continuation } from './continuation.ts';
import { markPrefix, type ContinuedRequest } from './continued-request.ts';
import { ContinuedStream } from './continued-stream.ts';

interface ContinueOptions {
  owner: AttemptOwner;
  continuation: Continuation;
  /** Another route may continue the stream if this one is silent. */
  hasOther: boolean;
}

/**
 * Creates an attempt that continues a stream.
 * @returns the error if the route cannot take the request now; null: it can never take it
 */
export function enterToContinue(
  request: ContinuedRequest,
  route: Route,
  { owner, continuation, hasOther }: ContinueOptions,
): Attempt | GatewayError | null {
  const { context, prefill, seam, addedTokens } = request;
  return enterRoute(context, route, {
    owner,
    isGated: false,
    continueWith(relay, forwarded) {
      const { upstream, translated } = forwarded;
      if (prefill === 'marked') upstream.body = markPrefix(upstream.body);
      const stream = new ContinuedStream(relay, {
        continuation,
        dialect: translated?.dialect ?? relay.spec.dialect,
        stopSequences: translated?.stopSequences ?? [],
        isPrefilled: prefill !== null,
        seam,
        addedTokens,
        price: context.price,
        silenceMs: hasOther ? getFirstTokenLimitMs(context.model, context.inputTokens) : null,
      });
      continuation.noteAttempt(stream);
      return stream;
    },
  });
}
