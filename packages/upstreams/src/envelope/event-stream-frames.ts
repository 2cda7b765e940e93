import { Buffer } from 'node:buffer';

/** Size of a frame's length, which includes itself, two checksums and the length of the headers. */
const LENGTH_BYTES = 4;
const MIN_FRAME_BYTES = 16;
const MAX_FRAME_BYTES = 25 * 1024 * 1024;

/**
 * Splits `application/vnd.amazon.eventstream` into frames, from pieces of any size
 * (https://smithy.io/2.0/aws/amazon-eventstream.html).
 */
export class EventStreamFrames {
  #pending: Buffer[] = [];
  #pendingBytes = 0;

  /** True if the stream may end: no frame is incomplete. */
  get isWhole(): boolean {
    return this.#pendingBytes === 0;
  }

  /**
   * @returns the frames that are complete now
   * @throws RangeError if a frame's length is not possible
   */
  take(chunk: Buffer): Buffer[] {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#pendingBytes < LENGTH_BYTES || this.#pendingBytes < this.#nextLength()) return [];
    let bytes = Buffer.concat(this.#pending);
    const frames: Buffer[] = [];
    while (bytes.length >= LENGTH_BYTES) {
      const length = readLength(bytes);
      if (bytes.length < length) break;
      frames.push(bytes.subarray(0, length));
      bytes = bytes.subarray(length);
    }
    this.#pending = bytes.length === 0 ? [] : [bytes];
    this.#pendingBytes = bytes.length;
    return frames;
  }

  #nextLength(): number {
    const [first] = this.#pending;
    return readLength(
      first !== undefined && first.length >= LENGTH_BYTES ? first : Buffer.concat(this.#pending),
    );
  }
}

function readLength(bytes: Buffer): number {
  const length = bytes.readUInt32BE(0);
  if (length < MIN_FRAME_BYTES || length > MAX_FRAME_BYTES)
    throw new RangeError(`A frame of ${length} bytes is none of an event stream`);
  return length;
}
