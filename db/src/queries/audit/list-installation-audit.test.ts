import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  composePage,
  listInstallationAudit,
  type InstallationAuditQuery,
} from './list-installation-audit.ts';

describe('the audit log of an installation with many actions of members', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { sql: run } = database.db;
    await run`INSERT INTO users (id, email, password_hash, is_operator)
      VALUES ('user_op', 'op@example.com', 'x', true), ('user_member', 'member@example.com', 'x', false)`;
    await run`INSERT INTO accounts (id, name) VALUES ('acct_1', 'Acme')`;
    await run`INSERT INTO audit_log (id, at, actor_user_id, account_id, action, subject)
      SELECT 'aud_a' || n, now() - n * interval '1 second', 'user_member', 'acct_1', 'key.tag', 'key_1'
      FROM generate_series(1, 100000) n`;
    // Older than all of them.
    await run`INSERT INTO audit_log (id, at, actor_user_id, account_id, action, subject)
      SELECT 'aud_b' || n, now() - interval '1 year' - n * interval '1 second',
        CASE WHEN n % 2 = 0 THEN 'user_op' END, CASE WHEN n % 4 < 2 THEN 'acct_1' END, 'account.credit', 'acct_1'
      FROM generate_series(1, 2000) n`;
    await run`ANALYZE audit_log, users`;
  }, 60_000);
  afterAll(() => database[Symbol.asyncDispose]());

  it.each<[string, Partial<InstallationAuditQuery>]>([
    ['without a filter', {}],
    ['of an actor', { actor: 'user_op' }],
    ['of the command line', { actor: 'cli' }],
    ['of an account', { subject: 'acct_1' }],
    ['after another page', { cursor: 'aud_b100' }],
  ])('lists a page %s, found by indexes', async (_, query) => {
    const { entries } = await listInstallationAudit(database.db, { ...query, limit: 50 });
    expect(entries).toHaveLength(50);
    expect(entries.every(({ actorUserId }) => actorUserId !== 'user_member')).toBe(true);
    const lines = await database.db.drizzle.execute<{ 'QUERY PLAN': string }>(
      sql`EXPLAIN ${composePage({ ...query, limit: 50 })}`,
    );
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    expect(plan).not.toContain('Seq Scan on audit_log');
    expect(plan).toMatch(/audit_log_(installation|actor)/);
  });

  it('lists what an operator did in an account that they belong to, and nothing that they did as a member', async () => {
    const { sql: run } = database.db;
    await run`INSERT INTO users (id, email, password_hash, is_operator) VALUES ('user_both', 'both@example.com', 'x', true)`;
    await run`INSERT INTO memberships (user_id, account_id, role) VALUES ('user_both', 'acct_1', 'owner')`;
    await run`INSERT INTO audit_log (id, at, actor_user_id, account_id, action, subject) VALUES
      ('aud_c1', now(), 'user_both', 'acct_1', 'payment.refund', 'pay_1'),
      ('aud_c2', now(), 'user_both', 'acct_1', 'key.create', 'key_1')`;
    const list = async () => {
      const { entries } = await listInstallationAudit(database.db, { actor: 'user_both', limit: 50 });
      return entries.map(({ action }) => action);
    };
    expect(await list()).toEqual(['payment.refund']);
    await run`UPDATE users SET is_operator = false WHERE id = 'user_both'`;
    expect(await list()).toEqual(['payment.refund']);
  });
});
