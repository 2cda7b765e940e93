import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { CompletionResponse } from '@tollgate/core/completion/response';
import { arbitraryStream } from '@tollgate/testing/arbitrary-completion';
import fc from 'fast-check';

/** A stream with the content of the first choice of a complete response. */
export function toStream(response: CompletionResponse): CompletionEvent[] {
  const [stream] = fc.sample(arbitraryStream(fc.constant(response)), { numRuns: 1, seed: 1 });
  return stream?.events ?? [];
}
