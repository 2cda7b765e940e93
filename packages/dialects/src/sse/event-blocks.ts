import { Buffer } from 'node:buffer';
import { parseJsonObject } from '../json/parse-object.ts';
import { readEventAround } from './event-around.ts';
import type { EventStore } from './event-store.ts';
import { findEventsEnd, findSplitEnd } from './events-end.ts';
import { LargeEvent } from './large-event.ts';
import { MEASURING } from './outline-rules.ts';
import { LARGE_EVENT_BYTES } from './oversize-event.ts';

const LF = 0x0a;
const CR = 0x0d;

/** A large event: an outline of it, and its bytes. */
export interface LargeBlock {
  event: LargeEvent;
  store: EventStore;
}

/** Whole events one after the other, or a large one. */
export type Block = Buffer | LargeBlock;

/** Divides a stream into blocks of whole events, in time proportional to its bytes. */
export class EventBlocks {
  readonly #openStore: () => EventStore;
  readonly #largeBytes: number;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #large: LargeBlock | null = null;
  /** The large event has ended with CR: an LF that comes next belongs to it. */
  #isAfterCr = false;

  /** @param largeBytes an event that is larger is held in a store */
  constructor(openStore: () => EventStore, largeBytes = LARGE_EVENT_BYTES) {
    this.#openStore = openStore;
    this.#largeBytes = largeBytes;
  }

  /** True: the stream is in the middle of a large event. */
  get isLarge(): boolean {
    return this.#large !== null;
  }

  /**
   * @param chunk is not kept: it may have other bytes after the return
   * @returns the events that are whole now: nearly always one block or none. A block may be a part of the chunk
   * @throws OversizeEventError, or the error of the store
   */
  push(chunk: Buffer): Buffer | null | readonly Block[] {
    if (this.#large !== null || chunk.length > this.#largeBytes) return this.#pushLarge(Buffer.from(chunk));
    const block = this.#pushSmall(chunk);
    return this.#heldBytes > this.#largeBytes ? this.#openLarge(block) : block;
  }

  /** The provider closed the stream. @returns an event that only lacks its blank line; null: none */
  finish(): Block | null {
    const held = this.#large ?? (this.#heldBytes === 0 ? null : this.#joinHeld());
    if (held !== null && !this.#isAfterCr && !isWhole(held)) return null;
    this.#large = null;
    return held;
  }

  /** Frees the memory of an event that is not whole. */
  release(): void {
    this.#large?.store.release();
  }

  #pushSmall(chunk: Buffer): Buffer | null {
    const isHeld = this.#heldBytes > 0;
    const end = findEventsEnd(chunk) || (isHeld ? findSplitEnd(this.#lastHeld(), chunk) : 0);
    if (end === 0) {
      this.#hold(chunk);
      return null;
    }
    const events = end === chunk.length ? chunk : chunk.subarray(0, end);
    const block = isHeld ? this.#joinHeld(events) : events;
    if (end < chunk.length) this.#hold(chunk.subarray(end));
    return block;
  }

  #pushLarge(chunk: Buffer): readonly Block[] {
    const blocks: Block[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      const large = this.#large;
      if (large === null) {
        const block = this.#pushSmall(rest.subarray(0, this.#largeBytes));
        if (this.#heldBytes > this.#largeBytes) blocks.push(...this.#openLarge(block));
        else if (block !== null) blocks.push(block);
        rest = rest.subarray(this.#largeBytes);
        continue;
      }
      const end = this.#isAfterCr ? Number(rest[0] === LF) : large.event.push(rest);
      large.store.add(end < 0 ? rest : rest.subarray(0, end));
      this.#isAfterCr = !this.#isAfterCr && end === rest.length && rest[end - 1] === CR;
      if (end < 0 || this.#isAfterCr) break;
      this.#large = null;
      blocks.push(large);
      rest = rest.subarray(end);
    }
    return blocks;
  }

  /** @param block that comes before what is held */
  #openLarge(block: Buffer | null): readonly Block[] {
    const held = this.#joinHeld();
    this.#large = { event: new LargeEvent(MEASURING), store: this.#openStore() };
    const blocks = this.#pushLarge(held);
    return block === null ? blocks : [block, ...blocks];
  }

  #hold(bytes: Buffer): void {
    this.#held.push(Buffer.from(bytes));
    this.#heldBytes += bytes.length;
  }

  #joinHeld(...more: Buffer[]): Buffer {
    const joined = Buffer.concat([...this.#held, ...more]);
    this.#held = [];
    this.#heldBytes = 0;
    return joined;
  }

  /** The last two bytes, in which a blank line may begin. */
  #lastHeld(): string {
    const [before, last] = [this.#held.at(-2), this.#held.at(-1)].map(
      (each) => each?.toString('latin1', Math.max(0, each.length - 2)) ?? '',
    );
    return `${before}${last}`.slice(-2);
  }
}

function isWhole(block: Block): boolean {
  const { data } = Buffer.isBuffer(block) ? readEventAround(block, 0) : block.event;
  return data === '[DONE]' || parseJsonObject(data) !== null;
}
