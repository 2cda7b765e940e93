import { Buffer } from 'node:buffer';
import { parsedSize } from './parsed-size.ts';
import { writtenSize } from './written-size.ts';

/** Shorter texts are not measured: Node ends only the thread if its heap is exceeded by as much. */
const MIN_CHARACTERS = 64 * 1024;

/** A text needs more heap than the thread has. */
export class HeapExceeded extends Error {
  /** Survives the way from a thread. */
  readonly code = 'HEAP_EXCEEDED';
}

let getRoom: (() => number) | null = null;

/**
 * Measures what is large in this thread before it is parsed or written: a thread that runs out of heap in `JSON.parse` or
 * `JSON.stringify` ends the whole process, since it cannot be interrupted there.
 * @param room the bytes of heap that are left
 */
export function guardHeap(room: () => number): void {
  getRoom = room;
}

/** Before a text is parsed. @throws HeapExceeded */
export function assureRoom(json: string): void {
  if (getRoom === null || json.length < MIN_CHARACTERS) return;
  assureBytes(parsedSize(Buffer.from(json)));
}

/** Before one string of this size is made. @throws HeapExceeded */
export function assureBytes(bytes: number): void {
  if (getRoom !== null && bytes >= MIN_CHARACTERS && bytes > getRoom())
    throw new HeapExceeded('a JSON text is too large for the heap');
}

/** `JSON.stringify` for what may be large. @throws HeapExceeded */
export function writeJson(value: unknown): string {
  if (getRoom !== null) assureBytes(writtenSize(value, getRoom()));
  return JSON.stringify(value);
}
