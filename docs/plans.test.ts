import { expect, it } from 'vitest';
import { listPlans } from '../db/src/queries/plans/plans.ts';
import { createTestDatabase } from '../packages/testing/src/database.ts';
import { read } from './read-docs.fixture.ts';

it('docs/operations.md describes the plans of a new installation', async () => {
  await using database = await createTestDatabase();
  const plans = new Map((await listPlans(database.db)).map((plan) => [plan.id, plan]));
  const text = read('docs/operations.md').replaceAll(/\s+/g, ' ');
  expect(text).toContain('`free` (new accounts: 60 requests and 200,000 tokens a minute, $1 of credit)');
  expect(plans.get('free')).toMatchObject({ rpm: 60, tpm: 200_000, includedCreditNanoUsd: 1_000_000_000n });
  expect(text).toContain('`standard` (no limits)');
  expect(plans.get('standard')).toMatchObject({ rpm: null, tpm: null, isPrepaid: true });
  expect(text).toContain('`internal`, which charges no balance');
  expect(plans.get('internal')).toMatchObject({ isPrepaid: false });
  expect(plans.size).toBe(3);
});
