import type { Database } from '@tollgate/db/client';

/**
 * Fills the lists that are not of keys or requests: an owner for each account that has none, and `count` payments, events,
 * mails and entries of the audit log. One account has half of the payments and all of the audit log; of each list nearly
 * all is in one state, and a few in each of the others.
 */
export async function seedPeople(
  db: Database,
  { accountId, count }: { accountId: string; count: number },
): Promise<void> {
  await db.sql.begin(async (sql) => {
    await sql`SET LOCAL session_replication_role = replica`;
    await sql`SET LOCAL synchronous_commit = off`;
    await sql`
      WITH ownerless AS (
        SELECT id, row_number() OVER (ORDER BY id) AS n FROM accounts a
        WHERE NOT EXISTS (SELECT FROM memberships m WHERE m.account_id = a.id)
      ), people AS (
        INSERT INTO users (id, email, password_hash, email_verified_at)
        SELECT 'user_' || substr(md5(id), 1, 26), 'person' || n || '@bench.example.com', 'no password', now()
        FROM ownerless RETURNING id, email
      )
      INSERT INTO memberships (user_id, account_id, role)
      SELECT 'user_' || substr(md5(id), 1, 26), id, 'owner' FROM ownerless`;
    await sql`
      INSERT INTO payments (id, account_id, kind, provider, amount_cents, state, payer_email, receipt_number,
        created_at, paid_at)
      SELECT 'pay_' || lpad(to_hex(n), 11, '0') || substr(md5('payment ' || n), 1, 15),
        CASE WHEN n % 2 = 0 THEN ${accountId} ELSE others.ids[1 + n % cardinality(others.ids)] END, 'checkout', 'test',
        1000 + n % 9000, CASE WHEN n % 5000 = 1 THEN 'failed' ELSE 'paid' END, 'payer@example.com',
        CASE WHEN n % 5000 <> 1 THEN 'R-' || n END, now() - n * interval '10 seconds',
        CASE WHEN n % 5000 <> 1 THEN now() - n * interval '10 seconds' END
      FROM generate_series(1, ${count}::integer) AS n, (SELECT array_agg(id) AS ids FROM accounts) AS others`;
    await sql`
      INSERT INTO payment_events (id, type, created_at, received_at, payment_id, outcome)
      SELECT 'evt_' || n, 'checkout.session.completed', now() - n * interval '10 seconds',
        now() - n * interval '10 seconds', 'pay_' || lpad(to_hex(n), 11, '0') || substr(md5('payment ' || n), 1, 15),
        CASE WHEN n % 5000 = 1 THEN 'refused' ELSE 'applied' END
      FROM generate_series(1, ${count}::integer) AS n`;
    await sql`
      INSERT INTO outbox (id, recipient, subject, body_sealed, created_at, attempts, sent_at)
      SELECT 'mail_' || lpad(to_hex(n), 11, '0') || substr(md5('mail ' || n), 1, 15), 'person' || n || '@example.com',
        'Your code', CASE WHEN n % 5000 = 1 THEN '\\x00'::bytea END, now() - n * interval '10 seconds', 1,
        CASE WHEN n % 2500 <> 1 THEN now() END
      FROM generate_series(1, ${count}::integer) AS n`;
    await sql`
      INSERT INTO audit_log (id, at, account_id, actor_user_id, action, subject)
      SELECT 'aud_' || lpad(to_hex(n), 11, '0') || substr(md5('entry ' || n), 1, 15),
        now() - n * interval '10 seconds', ${accountId}, NULL,
        CASE WHEN n % 5000 = 1 THEN 'member.role' ELSE 'key.create' END, NULL
      FROM generate_series(1, ${count}::integer) AS n`;
  });
  await db.sql.unsafe(
    'VACUUM (ANALYZE) users, memberships, payments, payment_events, outbox, audit_log, accounts',
  );
}
