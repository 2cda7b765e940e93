import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { SseEvent } from './sse/parse-events.ts';
import type { UsageReport } from './usage/usage-report.ts';

/** Reads a stream of one dialect, event by event. */
export interface StreamDecoder {
  /** The usage that the provider has reported so far; null: none. */
  readonly report: UsageReport | null;
  push(event: SseEvent): CompletionEvent[];
  /** The provider closed the stream; returns an `error` if it was incomplete. */
  finish(): CompletionEvent[];
}

/** Writes a stream of one dialect. */
export interface StreamEncoder {
  /** @returns the events as they go to the caller; empty if there is nothing to send yet */
  push(event: CompletionEvent): string;
  /** The next event gets this number, in the dialect that numbers its events. */
  continueAt?(number: number): void;
}
