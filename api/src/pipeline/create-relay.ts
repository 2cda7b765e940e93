import { isEventStream } from './content-types.ts';
import { ErrorRelay } from './relay-error.ts';
import { StreamRelay } from './relay-stream.ts';
import { WholeRelay } from './relay-whole.ts';
import type { AttemptContext } from './attempt-context.ts';
import type { AttemptFailure } from './attempt-failure.ts';
import type { Relay } from './relay.ts';
import { createHead, type Responded } from './response-head.ts';
import { StreamTranslation } from './translate-stream.ts';

/**
 * Chooses how a response reaches the caller.
 * @param failure of a refusal whose body says whether it is about the credential of the route; null: none
 */
export function createRelay<Attempt extends object>(
  { relay: context, forwarded: { translated } }: AttemptContext,
  responded: Responded<Attempt>,
  failure: AttemptFailure | null,
): Relay {
  const { status, header } = responded;
  const head = createHead(responded, context.settlement, failure);
  const isStream = context.spec.hasStreams && isEventStream(header);
  if (status < 200 || status > 299) {
    const dialect = translated?.dialect ?? context.spec.dialect;
    return new ErrorRelay(context, { dialect, ...head });
  }
  if (!isStream) return new WholeRelay(context, head, translated);
  return translated === null ? new StreamRelay(context, status) : new StreamTranslation(context, translated);
}
