import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

const drain = (queue: FairQueue<string>) => {
  const all: string[] = [];
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) all.push(item);
  return all;
};

describe('a fair queue', () => {
  it('takes from lanes in turn, and in order within a lane', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item.slice(0, 1), item);
    expect(queue.size).toBe(6);
    expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(queue.size).toBe(0);
  });

  it('puts a reused lane last', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a1');
    queue.push('b', 'b1');
    expect(queue.shift()).toBe('a1');
    queue.push('a', 'a2');
    queue.push('b', 'b2');
    expect(drain(queue)).toEqual(['b1', 'a2', 'b2']);
  });

  it('removes one item or all items', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a1');
    queue.push('a', 'a2');
    expect([queue.remove('a', 'a1'), queue.remove('a', 'a1'), queue.remove('b', 'a2')]).toEqual([
      true,
      false,
      false,
    ]);
    queue.push('b', 'b1');
    expect(queue.clear()).toEqual(['a2', 'b1']);
    expect([queue.size, queue.shift()]).toEqual([0, undefined]);
  });
});
