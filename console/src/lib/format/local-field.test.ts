import { expect, it } from 'vitest';
import { fromLocalField, toLocalField } from './local-field.ts';

it('a local time round-trips between its field and the URL', () => {
  const iso = new Date(2026, 10, 21, 16, 5).toISOString();
  expect(toLocalField(iso)).toBe('2026-11-21T16:05');
  expect(fromLocalField(toLocalField(iso))).toBe(iso);
  expect(fromLocalField('')).toBeUndefined();
  expect(toLocalField(undefined)).toBe('');
});
