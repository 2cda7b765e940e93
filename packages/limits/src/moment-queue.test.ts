import { expect, it } from 'vitest';
import { MomentQueue } from './moment-queue.ts';

it('keeps at most 2,048 moments without losing amounts or expiring them early', () => {
  const moments = new MomentQueue();
  /** Times of wrong rounding or missing amounts. */
  const problems: number[] = [];
  let fullest = 0;
  let [came, left] = [0, 0];
  for (let ms = 0; ms < 200_000; ms++) {
    while (moments.head < moments.tail && moments.timeAt(moments.head) + 60_000 <= ms) {
      left += moments.requestsAt(moments.head);
      moments.dropFirst();
    }
    const position = moments.append(ms, 3, 0);
    came += 3;
    const roundedByMs = moments.timeAt(position) - ms;
    const isWhole = came - left >= 3 * Math.min(ms + 1, 60_000);
    if (roundedByMs < 0 || roundedByMs >= 64 || !isWhole) problems.push(ms);
    fullest = Math.max(fullest, moments.tail - moments.head);
  }
  expect(problems).toEqual([]);
  expect(fullest).toBeLessThanOrEqual(2048);
  let held = 0;
  for (let at = moments.head; at < moments.tail; at++) held += moments.requestsAt(at);
  expect(held).toBe(came - left);
});

it('adds to the latest moment and advances it when full', () => {
  const moments = new MomentQueue();
  for (let ms = 0; ms < 5000; ms++) moments.replace(ms, 1);
  expect(moments.tail - moments.head).toBe(2048);
  expect(moments.timeAt(2047)).toBe(4999);
  expect(moments.tokensAt(2047)).toBe(5000 - 2047);
});

it('keeps its contents when it releases memory', () => {
  const moments = new MomentQueue();
  for (let ms = 0; ms < 2000; ms++) moments.replace(ms, ms);
  for (let ms = 0; ms < 1995; ms++) moments.dropFirst();
  for (let time = 0; time < 10; time++) moments.shrink();
  const held = Array.from({ length: 5 }, (_, index) => moments.tokensAt(moments.head + index));
  expect(held).toEqual([1995, 1996, 1997, 1998, 1999]);
});
