import { describe, expect, it } from 'vitest';
import { keyScopeSchema } from './key-scope.ts';

const scope = { name: 'ci', allowedModels: null, maxBudgetUsd: null, rpm: null, tpm: null, expiresAt: null };
const isAccepted = (rest: object) => keyScopeSchema.safeParse({ ...scope, ...rest }).success;

describe('keyScopeSchema', () => {
  it.each([
    { maxBudgetUsd: '0.000000001' },
    { maxBudgetUsd: '1000000' },
    { rpm: 1 },
    { rpm: 1_000_000 },
    { tpm: 1 },
    { tpm: 1_000_000_000 },
    { allowedModels: Array.from({ length: 200 }, (_, index) => `m${index}`) },
    { expiresAt: '2030-01-01T00:00:00+02:00' },
  ])('accepts %j', (rest) => expect(isAccepted(rest)).toBe(true));

  it.each([
    { name: ' ' },
    { name: 'x'.repeat(81) },
    { maxBudgetUsd: '0' },
    { maxBudgetUsd: '-1' },
    { maxBudgetUsd: '1000000.000000001' },
    { maxBudgetUsd: '0.0000000001' },
    { maxBudgetUsd: '1e3' },
    { rpm: 0 },
    { rpm: 1_000_001 },
    { rpm: 1.5 },
    { rpm: Number.NaN },
    { tpm: 0 },
    { tpm: 1_000_000_001 },
    { allowedModels: [] },
    { allowedModels: ['a', 'a'] },
    { allowedModels: Array.from({ length: 201 }, (_, index) => `m${index}`) },
    { expiresAt: 'tomorrow' },
    { expiresAt: '2030-01-01' },
  ])('refuses %j', (rest) => expect(isAccepted(rest)).toBe(false));
});
