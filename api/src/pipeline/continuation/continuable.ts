import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { StreamContext } from '@tollgate/dialects/answer-context';
import type { Passage } from '@tollgate/dialects/tap-options';
import type { Metered } from '../metered.ts';
import type { GatewayError } from '@tollgate/core/errors/errors';
import type { StreamDecoder, StreamEncoder } from '@tollgate/dialects/stream-codec';

/** How a stream is written that the gateway translates. */
export interface TranslatedStream {
  encoder: StreamEncoder;
  context: StreamContext;
  decoder: StreamDecoder;
}

/** Events of which an error is not sent. */
export interface BrokenEvents {
  /** What comes before it. */
  before: readonly Passage[];
  error: GatewayError;
}

/** Follows the stream of a request that may be continued. */
export interface Continuable {
  /** A provider responds, and the caller has nothing yet. @param stream null: it is forwarded as it is */
  begin(stream: TranslatedStream | null): void;
  /** Takes an event of a translated stream, as it goes to the caller. */
  noteEvent(event: CompletionEvent): void;
  /**
   * Takes events as they go to the caller.
   * @returns the error in them, if the stream can be continued after it; null: they are sent
   */
  watch(passed: Passage | readonly Passage[]): BrokenEvents | null;
  /** The stream has something that cannot be continued. */
  giveUp(): void;
  /**
   * Ends and settles a stream of which only the end is missing.
   * @param metered what was delivered
   * @returns false if more is missing
   */
  conclude(metered: Metered): boolean;
  /** True if another attempt can continue the stream now. */
  mayContinue(): boolean;
}
