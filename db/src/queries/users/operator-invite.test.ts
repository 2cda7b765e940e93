import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { expect, it } from 'vitest';
import {
  bindOperatorInvite,
  createOperatorInvite,
  isOperatorInviteLive,
  spendOperatorInvite,
} from './operator-invite.ts';

it('ends the operator link as soon as there is an operator, in whichever way they became one', async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  const tokenHash = randomBytes(32);
  const expiresAt = new Date(Date.now() + 60_000);
  expect(await createOperatorInvite(db, { tokenHash, expiresAt })).toBe(true);
  await createAccountFixture(db);
  expect(await isOperatorInviteLive(db, { tokenHash, nowMs: Date.now() })).toBe(true);
  await createAccountFixture(db, { isOperator: true });
  expect(await isOperatorInviteLive(db, { tokenHash, nowMs: Date.now() })).toBe(false);
  expect(await createOperatorInvite(db, { tokenHash: randomBytes(32), expiresAt })).toBe(false);
});

it('puts the first operator’s account on the plan without limits, but keeps a chosen plan', async () => {
  await using database = await createTestDatabase();
  const { db } = database;
  const becomeOperator = async (planId: string) => {
    const { user, accountId } = await createAccountFixture(db, { planId });
    const tokenHash = randomBytes(32);
    await db.sql`UPDATE users SET is_operator = false`;
    await createOperatorInvite(db, { tokenHash, expiresAt: new Date(Date.now() + 60_000) });
    await bindOperatorInvite(db, { tokenHash, userId: user.id, nowMs: Date.now() });
    expect(await spendOperatorInvite(db, { userId: user.id, nowMs: Date.now() })).toBe(true);
    const [account] = await db.sql`SELECT plan_id FROM accounts WHERE id = ${accountId}`;
    return account?.['plan_id'];
  };
  expect(await becomeOperator('free')).toBe('internal');
  expect(await becomeOperator('standard')).toBe('standard');
  await db.sql`UPDATE accounts SET plan_id = 'free'`;
  await db.sql`DELETE FROM plans WHERE id = 'internal'`;
  expect(await becomeOperator('free')).toBe('free');
});
