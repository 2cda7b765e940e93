import { Buffer } from 'node:buffer';
import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { Dialect } from '@tollgate/core/models/dialect';
import { getCodec } from '@tollgate/dialects/codec';
import { NativePlace } from '@tollgate/dialects/continuation/native-place';
import type { StreamSoFar } from '@tollgate/dialects/continuation/stream-so-far';
import { EVENT_END } from '@tollgate/dialects/sse/event-end';
import { createSseParser } from '@tollgate/dialects/sse/parse-events';
import type { StreamDecoder } from '@tollgate/dialects/stream-codec';
import type { Passage } from '@tollgate/dialects/tap-options';

type ErrorEvent = Extract<CompletionEvent, { type: 'error' }>;

/** The events before an error, and the error. */
export interface FoundError {
  before: readonly Passage[];
  reported: ErrorEvent;
}

/** Reads the events of a stream that is forwarded as its provider sent it. */
export class WatchedEvents {
  readonly place: NativePlace;
  readonly #soFar: StreamSoFar;
  readonly decoder: StreamDecoder;

  constructor(dialect: Dialect, soFar: StreamSoFar) {
    this.place = new NativePlace(dialect);
    this.#soFar = soFar;
    this.decoder = getCodec(dialect).createStreamDecoder();
  }

  /** @returns null if there is no error in them */
  push(passages: readonly Passage[]): FoundError | null {
    for (const [index, passage] of passages.entries()) {
      if (typeof passage !== 'string') {
        // Only its outline was read.
        this.#soFar.giveUp();
        continue;
      }
      const found = this.#pushText(passage);
      if (found === null) continue;
      return { before: [...passages.slice(0, index), passage.slice(0, found.at)], reported: found.reported };
    }
    return null;
  }

  /** @param text one character for each byte */
  #pushText(text: string): { at: number; reported: ErrorEvent } | null {
    let start = 0;
    for (const { index, 0: blank } of text.matchAll(EVENT_END)) {
      const end = index + blank.length;
      const reported = this.#pushEvent(text.slice(start, end));
      if (reported !== null) return { at: start, reported };
      start = end;
    }
    return null;
  }

  #pushEvent(text: string): ErrorEvent | null {
    for (const parsed of createSseParser().push(Buffer.from(text, 'latin1'))) {
      for (const event of this.decoder.push(parsed)) {
        if (event.type === 'error') return event;
        this.#soFar.push(event);
      }
      this.place.push(parsed);
    }
    return null;
  }
}
