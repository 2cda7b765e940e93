import { expect, it } from 'vitest';
import { WholeArguments } from './whole-arguments.ts';

it('knows when arguments are whole, as often as it is asked', () => {
  const whole = new WholeArguments();
  expect(
    ['', '{', '{"a":"}', '{"a":"}"}', '{"a":"}"}', '{"a":"}"} \n'].map((text) => whole.check(text)),
  ).toEqual([false, false, false, true, true, true]);
});

it('parses arguments of which every piece looks like an end only some times', () => {
  const whole = new WholeArguments();
  let text = '{"a":"';
  const startMs = performance.now();
  for (let piece = 0; piece < 40_000; piece += 1) {
    text += 'xxxxxxxxxxxxxxxxxxxxxxx}';
    expect(whole.check(text)).toBe(false);
  }
  expect(whole.check(`${text}"}`)).toBe(false);
  // Parsing all of them takes half a minute.
  expect(performance.now() - startMs).toBeLessThan(5_000);
});
