import { Buffer } from 'node:buffer';
import { MIN_FREED_BYTES } from './worker/free-memory.ts';

/** Copies a part of bytes into memory that `freeMemory` can free: the pool of `Buffer.from` is left to a collection of the whole heap. */
export function copyBytes(bytes: Buffer, start: number, end: number): Buffer {
  const length = end - start;
  const copy = length < MIN_FREED_BYTES ? Buffer.allocUnsafe(length) : Buffer.allocUnsafeSlow(length);
  bytes.copy(copy, 0, start, end);
  return copy;
}
