import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { BodyMemory } from './body-memory.ts';
import { BodyBudget } from './body-budget.ts';

const BYTES = 100_000;

function open() {
  const body = Buffer.allocUnsafeSlow(BYTES);
  const reservation = new BodyBudget(1024 * 1024).open('a');
  reservation.memory = BodyMemory.of(body);
  return { body, reservation, memory: reservation.memory };
}

it('is freed when the request is settled after its call has sent the body', () => {
  const { body, reservation, memory } = open();
  memory?.begin();
  memory?.end();
  expect(body.length).toBe(BYTES);
  reservation.release();
  expect(body.length).toBe(0);
});

it('is freed when the last of several calls has sent the body after the request is settled', () => {
  const { body, reservation, memory } = open();
  memory?.begin();
  memory?.begin();
  reservation.release();
  memory?.end();
  expect(body.length).toBe(BYTES);
  memory?.end();
  expect(body.length).toBe(0);
});

it('is kept while a call may send the body', () => {
  const { body, reservation, memory } = open();
  memory?.begin();
  reservation.release();
  expect(body.length).toBe(BYTES);
});

it('is freed with a request that was not sent', () => {
  const { body, reservation } = open();
  reservation.release();
  expect(body.length).toBe(0);
});

it('does not exist for small bodies', () => {
  expect(BodyMemory.of(Buffer.alloc(1_000))).toBeNull();
});
