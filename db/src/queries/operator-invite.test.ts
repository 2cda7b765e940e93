import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { expect, it } from 'vitest';
import { createOperatorInvite, isOperatorInviteLive } from './operator-invite.ts';

it('ends the operator link as soon as there is an operator, whoever made them one', async () => {
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
