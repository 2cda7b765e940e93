import { Buffer } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { expect, it, vi } from 'vitest';
import { pullPieces } from './pull-pieces.ts';

const BODY = Buffer.alloc(300_000, 'abc');
const PIECES = [BODY.subarray(0, 100_000), BODY.subarray(100_000)];

it('returns all bytes, and reports once that they are taken', async () => {
  const onTaken = vi.fn<() => void>();
  const all = await buffer(pullPieces(PIECES, { stallMs: 1_000, onTaken }));
  expect(all.equals(BODY)).toBe(true);
  expect(onTaken).toHaveBeenCalledTimes(1);
});

it('reports that the reader has disconnected', async () => {
  const onTaken = vi.fn<() => void>();
  const reader = pullPieces(PIECES, { stallMs: 60_000, onTaken }).getReader();
  await reader.read();
  expect(onTaken).not.toHaveBeenCalled();
  await reader.cancel();
  expect(onTaken).toHaveBeenCalledTimes(1);
});

it('gives up on a reader that takes nothing for too long', async () => {
  const onTaken = vi.fn<() => void>();
  const reader = pullPieces(PIECES, { stallMs: 50, onTaken }).getReader();
  await reader.read();
  await expect.poll(() => onTaken.mock.calls.length).toBe(1);
  await expect(reader.read()).rejects.toThrow('reads too slowly');
});

it('gives up on a reader that takes the whole too slowly', async () => {
  const onTaken = vi.fn<() => void>();
  const pace = { graceMs: 50, minBytesPerSecond: 10_000_000, checkEveryMs: 10 };
  const reader = pullPieces(PIECES, { stallMs: 60_000, pace, onTaken }).getReader();
  await reader.read();
  await expect.poll(() => onTaken.mock.calls.length).toBe(1);
  await expect(reader.read()).rejects.toThrow('reads too slowly');
});
