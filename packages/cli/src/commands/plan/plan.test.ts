import type { PlanTermsField } from '@tollgate/core/money/plan-terms';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

/** What is typed for each term, and what the JSON shows. */
const TERMS: Record<PlanTermsField, { options: string; member: string; value: unknown }> = {
  allowedModels: { options: '--models m,n', member: 'models', value: ['m', 'n'] },
  rpm: { options: '--rpm 60', member: 'rpm', value: 60 },
  tpm: { options: '--tpm 1000', member: 'tpm', value: 1_000 },
  priceMultiplier: { options: '--price-multiplier 1.25', member: 'priceMultiplier', value: '1.25' },
  ownCredentialFee: { options: '--own-credential-fee 0.05', member: 'ownCredentialFee', value: '0.05' },
  includedCreditUsd: { options: '--included-credit 0.5', member: 'includedCreditUsd', value: '0.50' },
  isPrepaid: { options: '--not-prepaid', member: 'prepaid', value: false },
  forwardsUnknown: { options: '--unknown-members drop', member: 'unknownMembers', value: 'drop' },
  countsCacheReads: { options: '--tpm-cache-reads count', member: 'tpmCacheReads', value: 'count' },
};

describe('tollgate plan', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
    await database.db.sql`INSERT INTO models (id) VALUES ('m'), ('n')`;
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('adds a plan with all terms', async () => {
    const typed = Object.values(TERMS).map(({ options }) => options);
    expect(await tollgate.json(`plan add --name team ${typed.join(' ')}`)).toEqual({
      name: 'team',
      ...Object.fromEntries(Object.values(TERMS).map(({ member, value }) => [member, value])),
      createdAt: expect.any(String),
    });
    expect(await tollgate.json('plan add --name house')).toMatchObject({
      models: null,
      rpm: null,
      priceMultiplier: '1',
      prepaid: true,
      unknownMembers: 'auto',
      tpmCacheReads: 'auto',
    });
    expect((await tollgate('plan add --name team')).stderr).toContain('Plan team already exists');
  });

  it('changes only the given terms', async () => {
    await tollgate.json('plan add --name change --models m --rpm 60 --tpm 1000 --not-prepaid');
    const update = (terms: string) => tollgate.json(`plan update --name change ${terms}`);
    expect(await update('--rpm none')).toMatchObject({
      rpm: null,
      tpm: 1_000,
      models: ['m'],
      prepaid: false,
    });
    expect(await update('--models all --prepaid')).toMatchObject({ models: null, prepaid: true });
    expect(await update('--unknown-members drop')).toMatchObject({ unknownMembers: 'drop' });
    expect(await update('--unknown-members auto')).toMatchObject({ unknownMembers: 'auto' });
    expect(await update('--tpm-cache-reads skip')).toMatchObject({ tpmCacheReads: 'skip' });
    expect(await update('--tpm-cache-reads auto')).toMatchObject({ tpmCacheReads: 'auto' });
    expect((await tollgate('plan update --name change')).code).toBe(2);
    expect((await tollgate('plan update --name change --prepaid --not-prepaid')).code).toBe(2);
    const { code, stderr } = await tollgate('plan update --name nope --rpm 1 --json');
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unknown_plan' } });
  });

  it.each([
    ['--name Team', '--name'],
    ['--name x --rpm 0', '--rpm'],
    ['--name x --tpm 1.5', '--tpm'],
    ['--name x --price-multiplier 101', '--price-multiplier'],
    ['--name x --included-credit -1', '--included-credit'],
    ['--name x --models m,m', '--models: must not list a model twice'],
    ['--name x --models m*m', '--models: must have an asterisk only at the end'],
  ])('rejects `plan add %s` as a usage error', async (terms, message) => {
    const { code, stderr } = await tollgate(`plan add ${terms}`);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('rejects unknown models', async () => {
    const { code, stderr } = await tollgate('plan add --name odd --models m,gpt-9');
    expect(code).toBe(1);
    expect(stderr).toContain('Unknown models: gpt-9');
    const pattern = await tollgate('plan add --name odd --models m*,gpt-*');
    expect(pattern).toMatchObject({ code: 1, stderr: expect.stringContaining('Unknown models: gpt-*') });
    expect(await tollgate.json('plan add --name many --models m*')).toMatchObject({ models: ['m*'] });
    await tollgate.json('plan remove many');
  });

  it('lists plans with account counts, and names the accounts that prevent a removal', async () => {
    await database.db.sql`INSERT INTO plans (id) VALUES ('crowded')`;
    for (let i = 0; i < 7; i++)
      await database.db.sql`INSERT INTO accounts (id, name, plan_id) VALUES (${`acct_${i}`}, 'x', 'crowded')`;
    await tollgate.json('account create --email one@example.com --plan crowded');
    const { stdout } = await tollgate('plan list');
    expect(stdout.split('\n')[0]).toMatch(/^PLAN +MODELS +RPM +TPM +PRICE × +INCLUDED +PREPAID +ACCOUNTS$/);
    expect(stdout).toMatch(/^free +all +60 +200,000 +1 +\$1\.00 +yes +0$/m);
    expect(stdout).toMatch(/^crowded .* 8$/m);
    const { code, stderr } = await tollgate('plan remove crowded');
    expect(code).toBe(1);
    expect(stderr).toContain('crowded is the plan of 8 accounts: one@example.com and 7 others');
  });

  it('removes an unused plan, but not the default plan', async () => {
    expect((await tollgate('plan remove free')).stderr).toContain('the default plan for new accounts');
    await database.db.sql`INSERT INTO plans (id) VALUES ('empty')`;
    expect(await tollgate.json('plan remove empty')).toEqual({ name: 'empty' });
    expect((await tollgate('plan remove empty')).code).toBe(1);
  });
});
