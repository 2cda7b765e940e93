import { expect, it } from 'vitest';
import { estimateCalls } from './estimate-calls.ts';

const mini = { inputUsdPerMtok: '0.25', outputUsdPerMtok: '2.00' };
const haiku = { inputUsdPerMtok: '1.00', outputUsdPerMtok: '5.00' };

it.each([
  ['10', [mini], 11_700],
  ['10', [mini, haiku], 4_000],
  ['$10.00', [haiku], 4_000],
  ['0.001', [haiku], 0],
  ['', [haiku], null],
  ['lots', [haiku], null],
  ['10', [], null],
  ['10', [{ inputUsdPerMtok: '0.00', outputUsdPerMtok: '0.00' }], null],
] as const)('estimates the requests that a budget of %s covers', (budget, models, calls) => {
  expect(estimateCalls(budget, [...models])).toBe(calls);
});
