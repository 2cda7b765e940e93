import { describe, expect, it } from 'vitest';
import { fitColumns } from './fit-columns.ts';
import { formatColumns, LOG_COLUMNS, parseColumns } from './log-columns.ts';

describe('fitColumns', () => {
  it('shows the columns of the start on a screen of 1,440 px', () => {
    const steps = [...fitColumns(parseColumns(null).shown).values()];
    expect(steps).toEqual(['xl', '2xl', '3xl', '4xl', '5xl', '1080']);
  });

  it('gives the place of a hidden column to a chosen one', () => {
    const chosen = fitColumns(['time', 'key', 'session', 'tokens', 'firstByte', 'latency', 'cost']);
    expect(chosen.get('session')).toBe('3xl');
    expect(chosen.get('firstByte')).toBe('1120');
    expect(chosen.has('client')).toBe(false);
  });

  it('shows each column somewhere, whatever is chosen', () => {
    expect(fitColumns(LOG_COLUMNS).size).toBe(LOG_COLUMNS.length - 1);
  });
});

describe('the stored choice of columns', () => {
  it('is read back in the order of the columns, without names that are not known', () => {
    const stored = formatColumns(['cost', 'session']);
    expect(stored).toBe('session,cost');
    expect(parseColumns(`${stored},none`)).toEqual({ shown: ['session', 'cost'], isDefault: false });
  });

  it('is nothing if it is that of the start', () => {
    expect(formatColumns(parseColumns(null).shown)).toBeNull();
    expect(parseColumns('').shown).toEqual([]);
  });
});
