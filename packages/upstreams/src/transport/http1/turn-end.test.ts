import { afterEach, expect, it, vi } from 'vitest';
import { atTurnEnd } from './turn-end.ts';

afterEach(() => vi.useRealTimers());

it('runs all callbacks of a turn although one throws', () => {
  vi.useFakeTimers({ toFake: ['setImmediate'] });
  const called: string[] = [];
  atTurnEnd(() => called.push('first'));
  atTurnEnd(() => {
    throw new Error('a callback that throws');
  });
  atTurnEnd(() => called.push('third'));
  atTurnEnd(() => called.push('fourth'));
  expect(() => vi.runAllTimers()).toThrow('a callback that throws');
  expect(called).toEqual(['first']);
  vi.runAllTimers();
  expect(called).toEqual(['first', 'third', 'fourth']);
});

it('runs a callback added by a callback in the next turn', () => {
  vi.useFakeTimers({ toFake: ['setImmediate'] });
  const called: string[] = [];
  atTurnEnd(() => {
    called.push('outer');
    atTurnEnd(() => called.push('inner'));
  });
  atTurnEnd(() => called.push('next'));
  vi.runAllTimers();
  expect(called).toEqual(['outer', 'next', 'inner']);
});
