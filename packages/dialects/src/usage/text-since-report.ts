import { tokensOfBytes } from '../input-tokens/tokens-of-bytes.ts';
import type { StreamText } from './stream-text.ts';

/** What the model wrote since the provider last reported usage. */
export class TextSinceReport {
  readonly #written: StreamText;
  #bytesReported = 0;
  #piecesReported = 0;

  constructor(written: StreamText) {
    this.#written = written;
  }

  /** By its length, and never less than one for each delta. */
  get tokens(): number {
    const { bytes, pieces } = this.#written.meter;
    return Math.max(pieces - this.#piecesReported, tokensOfBytes(bytes - this.#bytesReported));
  }

  /** The provider has reported the usage of everything so far. */
  noteReported(): void {
    const { bytes, pieces } = this.#written.meter;
    this.#bytesReported = bytes;
    this.#piecesReported = pieces;
  }
}
