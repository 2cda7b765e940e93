import { Buffer } from 'node:buffer';
import { parsedSize } from './parsed-size.ts';

/** Shorter texts are not measured: Node ends only the thread if its heap is exceeded by as much. */
const MIN_CHARACTERS = 64 * 1024;

/** A text needs more heap than the thread has. */
export class HeapExceeded extends Error {
  /** Survives the way from a thread. */
  readonly code = 'HEAP_EXCEEDED';
}

let getRoom: (() => number) | null = null;

/**
 * Measures each large text of this thread before it is parsed: a thread that runs out of heap in `JSON.parse` ends the whole
 * process, since it cannot be interrupted there.
 * @param room the bytes of heap that are left
 */
export function guardHeap(room: () => number): void {
  getRoom = room;
}

/** @throws HeapExceeded */
export function assureRoom(json: string): void {
  if (getRoom === null || json.length < MIN_CHARACTERS) return;
  if (parsedSize(Buffer.from(json)) > getRoom())
    throw new HeapExceeded('a JSON text is too large for the heap');
}
