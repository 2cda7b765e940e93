import { expect, it } from 'vitest';
import { formatChange, readAmount, subtractAmount, sumAmounts } from './amount.ts';

it.each([
  ['20000000000', '+$20.00'],
  ['-132000', '−$0.000132'],
  ['0', '$0.00'],
])('writes a change of %s nano-dollars as %s', (nanoUsd, text) => {
  expect(formatChange(nanoUsd)).toBe(text);
});

it.each([
  ['20', 20_000_000_000n],
  [' $1,000.50 ', 1_000_500_000_000n],
  ['0.000132', 132_000n],
  ['', null],
  ['-5', null],
  ['1e3', null],
  ['five', null],
])('reads %j', (text, amount) => {
  expect(readAmount(text)).toBe(amount);
});

it('adds and subtracts beyond what a float can hold', () => {
  expect(sumAmounts('9007199254740993', '1')).toBe('9007199254740994');
  expect(subtractAmount('9007199254740993', '9007199254740992')).toBe('1');
});
