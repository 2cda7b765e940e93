import { expect, it } from 'vitest';
import { parseOptions } from './options.ts';

it('runs long enough for a verdict unless told to be quick', () => {
  expect(parseOptions([])).toMatchObject({ quick: false, rounds: 5, seconds: 5, streams: 1_000 });
  expect(parseOptions(['--quick', '--streams', '7'])).toMatchObject({ quick: true, rounds: 1, streams: 7 });
});

it('refuses unknown flags and figures that are none', () => {
  expect(() => parseOptions(['--fast'])).toThrow('--fast');
  expect(() => parseOptions(['--rounds', '0'])).toThrow('--rounds takes a whole number above 0');
});
