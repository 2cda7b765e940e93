import { expect, it } from 'vitest';
import { TurnQueue } from './turn-queue.ts';

const turn = (stream: string, name: string) => ({ stream, name });

it('starts turns in the order of their arrival, one at a time of each stream', () => {
  const queue = new TurnQueue<ReturnType<typeof turn>>(10);
  const [first, second, other] = [turn('a', '1'), turn('a', '2'), turn('b', '3')];
  for (const each of [first, second, other]) queue.push(each);
  expect(queue.start()).toBe(first);
  expect(queue.start()).toBe(other);
  expect(queue.start()).toBeNull();
  expect(queue).toMatchObject({ runningCount: 2, waitingCount: 1 });
  queue.end(first);
  expect(queue.start()).toBe(second);
});

it('runs no more turns at the same time than it may', () => {
  const queue = new TurnQueue<ReturnType<typeof turn>>(2);
  const turns = ['a', 'b', 'c'].map((stream) => turn(stream, stream));
  for (const each of turns) queue.push(each);
  expect([queue.start(), queue.start(), queue.start()]).toEqual([turns[0], turns[1], null]);
  queue.end(turns[0] ?? turn('', ''));
  expect(queue.start()).toBe(turns[2]);
});

it('returns the turns that waited when it is cleared', () => {
  const queue = new TurnQueue<ReturnType<typeof turn>>(1);
  const turns = ['a', 'b', 'c'].map((stream) => turn(stream, stream));
  for (const each of turns) queue.push(each);
  queue.start();
  expect(queue.clear()).toEqual(turns.slice(1));
  expect(queue).toMatchObject({ runningCount: 1, waitingCount: 0 });
});
