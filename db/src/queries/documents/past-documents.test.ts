import { createTestDatabase } from '@tollgate/testing/database';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { migrate } from '../../migrate.ts';
import { readMigrations } from '../../migration-files.ts';

const MIGRATION = /^\d{4}_billing_documents\.sql$/;

it('gives payments of earlier releases their receipts and credit notes', async () => {
  await using server = await createTestDatabase();
  const name = `tollgate_documents_${process.pid}_${Date.now()}`;
  const admin = postgres(server.url, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`CREATE DATABASE ${name}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
  try {
    const migrations = readMigrations();
    const before = migrations.slice(
      0,
      migrations.findIndex((migration) => MIGRATION.test(migration.name)),
    );
    await migrate(url.href, { migrations: before, functions: null });
    await sql`INSERT INTO accounts (id, name) VALUES ('acct_1', 'Acme')`;
    for (const [id, number, at] of [
      ['pay_1', 'R-2025-000004', '2025-12-31'],
      ['pay_2', 'R-2026-000007', '2026-01-02'],
    ] as const)
      await sql`
        INSERT INTO payments (id, account_id, kind, provider, amount_cents, state, payer_email, receipt_number, paid_at)
        VALUES (${id}, 'acct_1', 'checkout', 'test', 2000, 'paid', 'a@example.com', ${number}, ${at})`;
    for (const [id, kind, at, key, isTaken] of [
      ['led_1', 'refund', '2026-01-03', 'refund:re_1:0>500', true],
      ['led_2', 'refund', '2026-01-04', 'refund:re_1:500>0', false],
      ['led_3', 'dispute', '2026-01-05', 'dispute:dp_1:0>1500', true],
    ] as const)
      await sql`
        INSERT INTO ledger_entries (id, at, account_id, kind, debit, credit, amount_nano_usd, idempotency_key, payment_id)
        VALUES (${id}, ${at}, 'acct_1', ${kind}, ${isTaken ? 'wallet' : 'payments'},
          ${isTaken ? 'payments' : 'wallet'}, 5000000000, ${key}, 'pay_2')`;
    await migrate(url.href);
    const documents = await sql`
      SELECT number, kind, amount_cents AS cents, payment_id AS payment, issuer, corrects_id IS NOT NULL AS corrects
      FROM billing_documents ORDER BY issued_at`;
    expect(documents.map((row) => [row['number'], row['kind'], row['cents'], row['corrects']])).toEqual([
      ['R-2025-000004', 'receipt', 2_000, false],
      ['R-2026-000007', 'receipt', 2_000, false],
      ['C-2026-000001', 'credit_note', 500, true],
      ['R-2026-000008', 'receipt', 500, true],
      ['C-2026-000002', 'credit_note', 500, true],
    ]);
    const numbers = await sql`SELECT kind, year, last FROM document_numbers ORDER BY kind, year`;
    expect(numbers.map((row) => [row['kind'], row['year'], row['last']])).toEqual([
      ['credit_note', 2026, 2],
      ['receipt', 2025, 4],
      ['receipt', 2026, 8],
    ]);
  } finally {
    await sql.end();
    await admin.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
});
