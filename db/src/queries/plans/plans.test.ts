import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accounts } from '../../schema/accounts.ts';
import { auditLog } from '../../schema/audit-log.ts';
import { addPlan, listPlans, removePlan, setAccountPlan, updatePlan } from './plans.ts';

describe('plans', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.db.sql`INSERT INTO models (id) VALUES ('m'), ('n')`;
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const listen = async () => {
    const heard: string[] = [];
    const channel = await database.db.sql.listen('tollgate_changes', (text) => heard.push(text));
    return { heard, [Symbol.asyncDispose]: () => channel.unlisten() };
  };
  const actionsOn = async (subject: string) => {
    const rows = await database.db.drizzle.select().from(auditLog).where(eq(auditLog.subject, subject));
    return rows.map((row) => row.action);
  };

  it('include the three of every new installation', async () => {
    expect(await listPlans(database.db)).toMatchObject([
      { id: 'free', rpm: 60, tpm: 200_000, includedCreditNanoUsd: 1_000_000_000n, isPrepaid: true },
      { id: 'internal', rpm: null, isPrepaid: false, includedCreditNanoUsd: 0n },
      { id: 'standard', rpm: null, isPrepaid: true, pricePpm: 1_000_000 },
    ]);
  });

  it('adds a plan with its terms, but not a second one of the same id', async () => {
    const terms = { allowedModels: ['m', 'n'], rpm: 5, pricePpm: 1_200_000 };
    const added = await addPlan(database.db, { id: 'team', ...terms });
    expect(added).toMatchObject({ ok: true, plan: { id: 'team', ...terms, tpm: null, isPrepaid: true } });
    expect(await addPlan(database.db, { id: 'team' })).toEqual({ ok: false, reason: 'plan_exists' });
  });

  it('names models that do not exist, and changes nothing then', async () => {
    const allowedModels = ['m', 'x', 'y'];
    const denied = { ok: false, reason: 'unknown_models', models: ['x', 'y'] };
    expect(await addPlan(database.db, { id: 'odd', allowedModels })).toEqual(denied);
    expect(await updatePlan(database.db, 'standard', { allowedModels, rpm: 1 })).toEqual(denied);
    const plans = await listPlans(database.db);
    expect(plans.find((plan) => plan.id === 'odd')).toBeUndefined();
    expect(plans.find((plan) => plan.id === 'standard')).toMatchObject({ rpm: null, allowedModels: null });
  });

  it('changes only the terms that are named, and notifies every replica', async () => {
    await addPlan(database.db, { id: 'changing', rpm: 5, tpm: 6, allowedModels: ['m'] });
    await using ears = await listen();
    const changed = await updatePlan(database.db, 'changing', { rpm: null, isPrepaid: false });
    expect(changed).toMatchObject({ plan: { rpm: null, tpm: 6, allowedModels: ['m'], isPrepaid: false } });
    await expect.poll(() => ears.heard).toEqual(['plans']);
    expect(await updatePlan(database.db, 'nope', { rpm: 1 })).toEqual({ ok: false, reason: 'unknown_plan' });
    expect(await actionsOn('changing')).toEqual(['plan.add', 'plan.change']);
  });

  it('puts an account on a plan and notifies every replica', async () => {
    const { accountId } = await createAccountFixture(database.db);
    await addPlan(database.db, { id: 'moved-to' });
    await using ears = await listen();
    const input = { accountId, planId: 'moved-to', actorUserId: null };
    expect(await setAccountPlan(database.db, input)).toEqual({ ok: true, changed: true, grantedNanoUsd: 0n });
    expect(await setAccountPlan(database.db, input)).toMatchObject({ changed: false });
    await expect.poll(() => ears.heard).toEqual([`account ${accountId}`]);
    const nowhere = { ...input, planId: 'nope' };
    expect(await setAccountPlan(database.db, nowhere)).toEqual({ ok: false, reason: 'unknown_plan' });
    expect(await actionsOn(accountId)).toEqual(['account.plan']);
    const [account] = await database.db.drizzle.select().from(accounts).where(eq(accounts.id, accountId));
    expect(account?.planId).toBe('moved-to');
  });

  it('removes an unused plan, but never a plan in use or the default plan', async () => {
    await addPlan(database.db, { id: 'busy' });
    const { accountId } = await createAccountFixture(database.db, {
      email: 'busy@example.com',
      planId: 'busy',
    });
    expect(await removePlan(database.db, 'busy')).toEqual({
      ok: false,
      reason: 'plan_in_use',
      accounts: 1,
      emails: ['busy@example.com'],
    });
    await setAccountPlan(database.db, { accountId, planId: 'standard', actorUserId: null });
    expect(await removePlan(database.db, 'busy')).toEqual({ ok: true });
    expect(await removePlan(database.db, 'busy')).toEqual({ ok: false, reason: 'unknown_plan' });
    expect(await removePlan(database.db, 'free')).toEqual({ ok: false, reason: 'default_plan' });
  });

  it('never leaves an account on a plan that is removed at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const planId = `race-${round}`;
      await addPlan(database.db, { id: planId });
      const { accountId } = await createAccountFixture(database.db);
      const [moved, removed] = await Promise.all([
        setAccountPlan(database.db, { accountId, planId, actorUserId: null }),
        removePlan(database.db, planId),
      ]);
      expect(moved.ok).toBe(!removed.ok);
    }
  });
});
