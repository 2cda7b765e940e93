import { describe, expect, it } from 'vitest';
import {
  formatBalance,
  formatBalanceShort,
  formatCap,
  formatCost,
  formatCostRounded,
  formatPrice,
  setMoneyPrecision,
  spentPercent,
} from './money.ts';

describe('formatCost', () => {
  it.each([
    ['0', '$0.00'],
    ['132000', '$0.000132'],
    ['1', '$0.000000001'],
    ['61200000000', '$61.20'],
    ['3905214000', '$3.905214'],
    ['812400000', '$0.8124'],
    ['1234567890000000', '$1,234,567.89'],
    ['9007199254740993000000000', '$9,007,199,254,740,993.00'],
  ])('writes %s nano-dollars as %s', (nanoUsd, text) => {
    expect(formatCost(nanoUsd)).toBe(text);
  });
});

describe('formatCostRounded', () => {
  it.each([
    ['0', '$0.00'],
    ['999', '<$0.000001'],
    ['1000', '$0.000001'],
    ['132499', '$0.00013'],
    ['2150000', '$0.0022'],
    ['9960000', '$0.01'],
    ['123456789', '$0.12'],
    ['999999999', '$1.00'],
    ['65432186900', '$65.43'],
    ['1234567890000000', '$1,234,567.89'],
  ])('rounds %s nano-dollars to %s', (nanoUsd, text) => {
    expect(formatCostRounded(nanoUsd)).toBe(text);
  });
});

describe('formatCap', () => {
  it.each([
    ['100000000000', '$100'],
    ['1000000000000000', '$1,000,000'],
    ['250000000', '$0.25'],
    ['2500000000', '$2.50'],
  ])('writes a budget of %s nano-dollars as %s', (nanoUsd, text) => {
    expect(formatCap(nanoUsd)).toBe(text);
  });
});

describe('formatPrice', () => {
  it('gives whole dollars their cents and keeps small prices exact', () => {
    expect(['3', '0.25', '0.0125', '15.00'].map(formatPrice)).toEqual([
      '$3.00',
      '$0.25',
      '$0.0125',
      '$15.00',
    ]);
  });
});

describe('spentPercent', () => {
  it.each([
    ['0', '10', 0],
    ['8', '10', 80],
    ['799', '1000', 79],
    ['999999', '1000000', 99],
    ['10', '10', 100],
    ['11', '10', 100],
  ])('of %s spent of %s is %i', (spent, budget, percent) => {
    expect(spentPercent(spent, budget)).toBe(percent);
  });
});

describe('formatBalance', () => {
  it.each([
    ['21000000000', '$21.00'],
    ['132000', '$0.000132'],
    ['1', '$0.000000001'],
    ['1234567890000000', '$1,234,567.89'],
    ['0', '$0.00'],
    ['-132000', '−$0.000132'],
    ['-1500000000000', '−$1,500.00'],
  ])('writes %s nano-dollars as %s', (nanoUsd, text) => {
    expect(formatBalance(nanoUsd)).toBe(text);
  });
});

describe('formatBalanceShort', () => {
  it.each([
    ['20999868000', '$20.99'],
    ['21000000000', '$21.00'],
    ['1009999999', '$1.00'],
    ['999999999', '$0.99'],
    ['132000', '$0.00013'],
    ['999922000', '$0.99'],
    ['400', '<$0.000001'],
    ['-400', '−$0.000001'],
    ['0', '$0.00'],
    ['-1500000001', '−$1.51'],
  ])('rounds %s nano-dollars down to %s', (nanoUsd, text) => {
    expect(formatBalanceShort(nanoUsd)).toBe(text);
  });
});

it('shows every digit if the user chose exact amounts', () => {
  setMoneyPrecision('exact');
  try {
    expect(formatCostRounded('65432186905')).toBe('$65.432186905');
    expect(formatBalanceShort('-65432186905')).toBe('−$65.432186905');
  } finally {
    setMoneyPrecision('rounded');
  }
});
