import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { freeMemory } from './free-memory.ts';

it('frees the memory of bytes immediately', () => {
  const before = process.memoryUsage().arrayBuffers;
  const bytes = Buffer.alloc(32 * 1024 * 1024);
  freeMemory(bytes);
  expect(bytes).toHaveLength(0);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024);
});

it('leaves memory that is shared with other bytes', () => {
  const all = Buffer.alloc(64 * 1024, 7);
  freeMemory(all.subarray(0, 32 * 1024));
  expect(all).toEqual(Buffer.alloc(64 * 1024, 7));
});
