import type { Buffer } from 'node:buffer';
import type { MarkedAnswer } from '../pipeline/large-answers.ts';
import { findOutput } from './find-output.ts';
import { withoutStoring, type Place } from './mark-large.ts';
import { markResponse, type ResponseMarks } from './response-marks.ts';

export interface MarkerOptions {
  id: string;
  previousResponseId: string | null;
  conversationId: string | null;
  /**
   * Stores the response; never rejects.
   * @param output the items that its conversation gets, as a JSON list; null: none
   * @returns false if it is not stored
   */
  store(response: Buffer, output: Buffer | null): Promise<boolean>;
  /**
   * Marks a large response, or a large event of a stream, in a thread; never rejects.
   * @param bytes with separate memory, not to be used afterwards
   * @returns null if there is no response in them, or it cannot be marked
   */
  markLarge(bytes: Buffer, isEvent: boolean, marks: ResponseMarks): Promise<MarkedAnswer | null>;
}

/** A large response as its caller gets it. */
interface SentAnswer {
  /** null: as the provider wrote it. */
  sent: Buffer[] | null;
  isStored: boolean;
  /** To be called when it was sent. */
  release: () => void;
}

/** Stores one response, and writes into it whether it is stored. No method rejects. */
export class AnswerMarker {
  readonly #options: MarkerOptions;
  /** The response is complete. */
  isDecided = false;

  constructor(options: MarkerOptions) {
    this.#options = options;
  }

  mark(response: Buffer, isStored: boolean): Buffer {
    return markResponse(response, this.#getMarks(isStored));
  }

  /** @returns the marked response */
  async store(bytes: Buffer): Promise<{ response: Buffer; isStored: boolean }> {
    const response = this.mark(bytes, true);
    this.isDecided = true;
    const isStored = await this.#store(response, findOutput(response));
    return { response: isStored ? response : this.mark(bytes, false), isStored };
  }

  /** The same in a thread. An event of a stream is only stored if its response is complete. */
  async storeLarge(bytes: Buffer, isEvent: boolean): Promise<SentAnswer> {
    const marked = await this.#options.markLarge(bytes, isEvent, this.#getMarks(true));
    if (marked === null) return { sent: null, isStored: false, release: () => undefined };
    const { bytes: whole, places, release } = marked;
    if (!places.isLast) return { sent: [whole], isStored: false, release };
    this.isDecided = true;
    const response = whole.subarray(places.response.start, places.response.end);
    const isStored = await this.#store(response, places.output);
    return { sent: isStored ? [whole] : withoutStoring(whole, places), isStored, release };
  }

  #store(response: Buffer, output: Place | null): Promise<boolean> {
    return this.#options.store(response, output && response.subarray(output.start, output.end));
  }

  #getMarks(isStored: boolean): ResponseMarks {
    const { id, previousResponseId, conversationId } = this.#options;
    return { id, previousResponseId, conversationId, isStored };
  }
}
