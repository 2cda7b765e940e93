import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('tollgate account balances', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('adds the credit of --credit, and the credit of the plan once the email is verified', async () => {
    const line = 'account create --credit 2.5 --email';
    expect(await tollgate.json(`${line} a@example.com --plan standard`)).toMatchObject({
      plan: 'standard',
      prepaid: true,
      availableUsd: '2.50',
      heldUsd: '0.00',
    });
    expect(await tollgate.json(`${line} b@example.com --verified`)).toMatchObject({ availableUsd: '3.50' });
    expect(await tollgate.json(`${line} c@example.com`)).toMatchObject({
      plan: 'free',
      availableUsd: '2.50',
    });
  });

  it('creates no user if the plan does not exist', async () => {
    const { code, stderr } = await tollgate('account create --email d@example.com --plan nope --json');
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unknown_plan' } });
    expect((await tollgate('account show --email d@example.com')).code).toBe(1);
  });

  it('adds and removes exact amounts, with the reason in the ledger', async () => {
    await tollgate.json('account create --email e@example.com --plan standard');
    const credit = (amount: string) =>
      tollgate('account credit --email e@example.com --reason', 'for a good reason', '--amount', amount);
    expect((await credit('10.000000001')).stdout).toBe(
      'Added $10.000000001 to e@example.com. Available balance: $10.000000001\n',
    );
    expect((await credit('-10')).stdout).toBe(
      'Removed $10.00 from e@example.com. Available balance: $0.000000001\n',
    );
    const tooMuch = await credit('-0.000000002');
    expect(tooMuch.code).toBe(1);
    expect(tooMuch.stderr).toContain('has $0.000000001');
    const rows = await database.db.sql`
      SELECT e.kind, e.reason FROM ledger_entries e JOIN accounts a ON a.id = e.account_id
      WHERE a.name = 'e@example.com' ORDER BY e.id`;
    expect(rows).toEqual([
      { kind: 'credit', reason: 'for a good reason' },
      { kind: 'adjustment', reason: 'for a good reason' },
    ]);
  });

  it.each(['0', '-0', '1e3', '0.0000000001', '1000000.01', '--5', 'five'])(
    'takes the amount %s for a usage error',
    async (amount) => {
      const more = ['--reason', 'x', '--amount', amount];
      const { code, stderr } = await tollgate('account credit --email e@example.com', ...more);
      expect(code).toBe(2);
      expect(stderr).toContain('--amount');
    },
  );

  it('changes the plan of an account and grants its included credit once', async () => {
    const email = ['--email', 'f@example.com'];
    await tollgate.json('account create --verified --plan internal', ...email);
    const { stdout } = await tollgate('account set-plan --plan free', ...email);
    expect(stdout).toBe('f@example.com is now on plan free, with a credit of $1.00\n');
    await tollgate.json('account set-plan --plan internal', ...email);
    expect(await tollgate.json('account set-plan --plan free', ...email)).toMatchObject({
      plan: 'free',
      availableUsd: '1.00',
    });
    expect((await tollgate('account set-plan --plan nope', ...email)).stderr).toContain(
      'Plan nope does not exist',
    );
  });

  it('shows if the plan of an account is not billed', async () => {
    await tollgate.json('account create --email g@example.com --plan internal');
    const { stdout } = await tollgate('account show --email g@example.com');
    expect(stdout).toMatch(/^Plan +internal \(not billed\)$/m);
    expect(stdout).toMatch(/^Available +\$0\.00$/m);
    expect(stdout).toMatch(/^On hold +\$0\.00$/m);
  });
});
