import { expect, it } from 'vitest';
import { shareMachine } from './share-machine.ts';

const MIB = 1024 ** 2;

it('divides the memory and the cores', () => {
  const [one, three] = [shareMachine(1), shareMachine(3)];
  expect(three.memoryBytes * 3).toBeLessThanOrEqual(one.memoryBytes);
  expect(three.cores).toBe(Math.ceil(one.cores / 3));
  expect(three.shareBodies(undefined)).toBeLessThanOrEqual(one.shareBodies(undefined));
});

it('divides the settings, but leaves room for the largest body and response', () => {
  expect(shareMachine(1).shareBodies(900 * MIB)).toBe(900 * MIB);
  expect(shareMachine(3).shareBodies(900 * MIB)).toBe(300 * MIB);
  expect(shareMachine(3).shareBodies(90 * MIB)).toBe(64 * MIB);
  expect(shareMachine(3).shareResponses(120 * MIB)).toBe(96 * MIB);
});
