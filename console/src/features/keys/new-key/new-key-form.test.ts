import { describe, expect, it } from 'vitest';
import { EMPTY_FORM, newKeySchema } from './new-key-form.ts';

const getIssues = (form: Partial<typeof EMPTY_FORM>) => {
  const parsed = newKeySchema.safeParse({ ...EMPTY_FORM, name: 'ci', ...form });
  return parsed.success ? [] : parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message]);
};

describe('the new-key form', () => {
  it('treats empty fields as no limit', () => {
    expect(newKeySchema.parse({ ...EMPTY_FORM, name: ' ci ' })).toEqual({
      name: 'ci',
      allowedModels: null,
      maxBudgetUsd: null,
      rpm: null,
      tpm: null,
      expiresAt: null,
      tags: [],
    });
  });

  it('parses amounts and counts with separators', () => {
    const scope = newKeySchema.parse({
      ...EMPTY_FORM,
      name: 'ci',
      maxBudgetUsd: '$1,000.25',
      rpm: '60',
      tpm: '40,000',
    });
    expect(scope).toMatchObject({ maxBudgetUsd: '1000.25', rpm: 60, tpm: 40_000 });
  });

  it.each([
    [{ name: ' ' }, 'name'],
    [{ maxBudgetUsd: '0' }, 'maxBudgetUsd'],
    [{ maxBudgetUsd: '1000000.01' }, 'maxBudgetUsd'],
    [{ maxBudgetUsd: '0.0000000001' }, 'maxBudgetUsd'],
    [{ maxBudgetUsd: '-1' }, 'maxBudgetUsd'],
    [{ rpm: '0' }, 'rpm'],
    [{ rpm: '1.5' }, 'rpm'],
    [{ rpm: 'many' }, 'rpm'],
    [{ rpm: '1e3' }, 'rpm'],
    [{ rpm: '1000001' }, 'rpm'],
    [{ tpm: '1000000001' }, 'tpm'],
    [{ expires: 'on', expiresAt: '' }, 'expiresAt'],
    [{ expires: 'on', expiresAt: '2020-01-01T00:00' }, 'expiresAt'],
  ] as const)('reports %o at %s with a readable message', (form, field) => {
    const [issue] = getIssues(form);
    expect(issue?.[0]).toBe(field);
    expect(issue?.[1]).not.toMatch(/expected|NaN|invalid/i);
  });

  it('converts a duration into an expiry date', () => {
    const { expiresAt } = newKeySchema.parse({ ...EMPTY_FORM, name: 'ci', expires: '30' });
    const days = (Date.parse(expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(30, 3);
  });
});
