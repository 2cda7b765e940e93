import type { Buffer } from 'node:buffer';

const LAST_FRAME = 0x80;
const OPCODE = 0x0f;
const FIRST_CONTROL_OPCODE = 0x8;
const LENGTH = 0x7f;
const LENGTH_16_BITS = 126;
const LENGTH_64_BITS = 127;
const MASK_BYTES = 4;

/** Finds the ends of messages in the bytes of a client: https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
export class FrameMeter {
  #head: number[] = [];
  /** Bytes of the payload that are still to come; null: the head is not complete. */
  #payloadLeft: number | null = null;
  /** True from the first frame of a message to its last. */
  #isMessageOpen = false;
  #endsMessage = false;

  /** True between two messages. */
  get isBetween(): boolean {
    return !this.#isMessageOpen && this.#head.length === 0;
  }

  /** @returns true if a message ends in the piece */
  push(piece: Buffer): boolean {
    let hasEnd = false;
    let at = 0;
    while (at < piece.length) {
      if (this.#payloadLeft === null) {
        this.#head.push(piece[at] ?? 0);
        at += 1;
        this.#readHead();
      } else {
        const taken = Math.min(this.#payloadLeft, piece.length - at);
        this.#payloadLeft -= taken;
        at += taken;
      }
      if (this.#payloadLeft === 0) hasEnd = this.#endFrame() || hasEnd;
    }
    return hasEnd;
  }

  #readHead(): void {
    const [first = 0, second = 0] = this.#head;
    const kind = second & LENGTH;
    const lengthBytes = kind === LENGTH_16_BITS ? 2 : kind === LENGTH_64_BITS ? 8 : 0;
    if (this.#head.length < 2 + lengthBytes + MASK_BYTES) return;
    const given = this.#head.slice(2, 2 + lengthBytes);
    this.#payloadLeft = lengthBytes === 0 ? kind : given.reduce((sum, byte) => sum * 256 + byte, 0);
    if ((first & OPCODE) >= FIRST_CONTROL_OPCODE) return;
    this.#isMessageOpen = true;
    this.#endsMessage = (first & LAST_FRAME) !== 0;
  }

  /** @returns true if it was the last frame of a message */
  #endFrame(): boolean {
    const isControl = ((this.#head[0] ?? 0) & OPCODE) >= FIRST_CONTROL_OPCODE;
    this.#head = [];
    this.#payloadLeft = null;
    if (isControl || !this.#endsMessage) return false;
    this.#isMessageOpen = false;
    this.#endsMessage = false;
    return true;
  }
}
