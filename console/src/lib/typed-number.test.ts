import { expect, it } from 'vitest';
import { plainNumber } from './typed-number.ts';

it.each([
  ['$1,000', '1000'],
  ['1,000,000.5', '1000000.5'],
  [' 12 500 ', '12500'],
  ['60_000', '60000'],
  ['-$2,500.25', '-2500.25'],
  ['0.25', '0.25'],
  ['', ''],
])('reads %j as %j', (text, plain) => {
  expect(plainNumber(text)).toBe(plain);
});

it.each(['2,50', '0,5', '1.000,50', '0,250', '1,00', '12,34,567', '1,000 000', '2 50', '1,2345'])(
  'leaves %j as it is, so that it is refused',
  (text) => {
    expect(plainNumber(text)).toBe(text);
  },
);
