import { isEventStream } from './content-types.ts';
import { ErrorRelay } from './relay-error.ts';
import { StreamRelay } from './relay-stream.ts';
import { WholeRelay } from './relay-whole.ts';
import type { Relay, RelayContext, ResponseHead } from './relay.ts';
import { StreamTranslation } from './translate-stream.ts';
import type { TranslatedRequest } from './translation.ts';

/** Chooses how a response reaches the caller. @param translated null: passthrough */
export function createRelay(
  context: RelayContext,
  translated: TranslatedRequest | null,
  head: ResponseHead,
): Relay {
  const { status, header } = head;
  const isStream = context.spec.hasStreams && isEventStream(header);
  if (status < 200 || status > 299) {
    const dialect = translated?.dialect ?? context.spec.dialect;
    return new ErrorRelay(context, { dialect, ...head });
  }
  if (!isStream) return new WholeRelay(context, head, translated);
  return translated === null ? new StreamRelay(context, status) : new StreamTranslation(context, translated);
}
