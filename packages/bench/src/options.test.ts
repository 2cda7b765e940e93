import { expect, it } from 'vitest';
import { ATTACKS } from './hostile/attacks.ts';
import { parseOptions, PARTS } from './options.ts';

it('runs long enough for a verdict unless --quick is set', () => {
  expect(parseOptions([])).toMatchObject({
    quick: false,
    rounds: 5,
    seconds: 5,
    streams: 1_000,
    keys: 1_000_000,
    pastRequests: 10_000_000,
  });
  expect(parseOptions(['--quick', '--streams', '7', '--past-requests', '9'])).toMatchObject({
    quick: true,
    rounds: 1,
    streams: 7,
    pastRequests: 9,
  });
});

it('compares with no commit unless one is named', () => {
  expect(parseOptions([]).against).toBeUndefined();
  expect(parseOptions(['--against', '5a0ec7e']).against).toBe('5a0ec7e');
});

it('measures everything unless parts are named', () => {
  expect([...parseOptions([]).parts]).toEqual([...PARTS]);
  expect([...parseOptions(['--only', 'latency, metered']).parts]).toEqual(['metered', 'latency']);
});

it('refuses unknown flags, unknown parts and figures that are none', () => {
  expect(() => parseOptions(['--fast'])).toThrow('--fast');
  expect(() => parseOptions(['--only', 'metered,speed'])).toThrow('not speed');
  expect(() => parseOptions(['--rounds', '0'])).toThrow('--rounds takes a whole number above 0');
});

it('leaves out attacks in a quick run unless they are named', () => {
  expect(parseOptions([]).attacks).toHaveLength(Object.keys(ATTACKS).length);
  expect(parseOptions(['--quick']).attacks.length).toBeLessThan(5);
  expect(parseOptions(['--quick', '--attacks', 'slow readers']).attacks).toEqual(['slow readers']);
});
