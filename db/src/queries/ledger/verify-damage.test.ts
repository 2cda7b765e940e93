import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../transaction.ts';
import { createUsedLedger, decodeRawUsage } from './used-ledger.fixture.ts';
import { LEDGER_CHECKS, type LedgerCheck } from './verify-checks.ts';
import { verifyLedger } from './verify.ts';

const ANSWERED = "error_code = 'client_gone'";
const BEGUN_EARLIER = `
  UPDATE requests SET started_at = started_at - interval '70 seconds' WHERE state = 'held';
  UPDATE held_requests SET started_at = started_at - interval '70 seconds'`;

/** A request moves to another price, of a third of the cost, and every sum with it. */
const REPRICED = (modelAndTime: string) => `
  INSERT INTO model_prices (model_id, effective_from, input_nano_usd_per_mtok, output_nano_usd_per_mtok)
  VALUES (${modelAndTime}, 1000000000, 5000000000);
  UPDATE key_totals t SET spent_nano_usd = t.spent_nano_usd - (r.cost_nano_usd - r.cost_nano_usd / 3)
  FROM requests r WHERE r.${ANSWERED} AND t.key_id = r.key_id;
  UPDATE usage_hourly u SET cost_nano_usd = u.cost_nano_usd - (r.cost_nano_usd - r.cost_nano_usd / 3)
  FROM requests r WHERE r.${ANSWERED} AND u.key_id = r.key_id AND u.hour = date_trunc('hour', r.started_at);
  UPDATE requests SET cost_nano_usd = cost_nano_usd / 3, price_id = (SELECT max(id) FROM model_prices)
  WHERE ${ANSWERED}`;

/** A payment of $23.80, of which $3.80 are taxes on top, with its receipt. */
const TAXED_PAYMENT = `
  INSERT INTO payments (id, account_id, kind, provider, amount_cents, state, payer_email, receipt_number, paid_at,
    tax_mode, added_tax_cents)
  SELECT 'pay_1', id, 'checkout', 'test', 2380, 'paid', 'a@example.com', 'R-1', now(), 'on_top', 380
  FROM accounts ORDER BY id LIMIT 1;
  INSERT INTO billing_documents (id, kind, number, issued_at, account_id, payment_id, entry_key, account_name, payer_email,
    company_name, address, tax_id, amount_cents, net_cents, taxes)
  SELECT 'doc_1', 'receipt', 'R-1', now(), account_id, id, 'top_up:pay_1', '', 'a@example.com', '', '', '', 2380, 2000,
    '[{"name": "VAT", "ratePpm": 190000, "amountCents": 380}]' FROM payments`;
const ENTRY_OF_PAYMENT = (nanoUsd: number) => `
  INSERT INTO ledger_entries (id, account_id, kind, debit, credit, amount_nano_usd, idempotency_key, payment_id)
  SELECT 'led_of_payment', account_id, 'top_up', 'payments', 'wallet', ${nanoUsd}, 'top_up:pay_1', id FROM payments`;

/** What a person with psql might do, and the checks that fail then. */
const DAMAGES: readonly (readonly [name: string, damage: string, checks: readonly LedgerCheck[]])[] = [
  ['a key that spent too much', 'UPDATE key_totals SET spent_nano_usd = spent_nano_usd + 1', ['key_spent']],
  [
    'a key past its budget',
    'UPDATE key_totals SET spent_nano_usd = 2000000000 WHERE held_nano_usd > 0',
    ['key_spent', 'key_budget'],
  ],
  [
    'a share of a budget that was never moved',
    'UPDATE key_totals SET spent_nano_usd = spent_nano_usd + 1, carried_nano_usd = 1 WHERE held_nano_usd > 0',
    ['key_carried'],
  ],
  ['a receipt without a ledger entry', TAXED_PAYMENT, ['document_amount']],
  [
    'a receipt whose ledger entry has another amount',
    `${TAXED_PAYMENT}; ${ENTRY_OF_PAYMENT(23_800_000_000)}`,
    ['document_amount'],
  ],
  ['nothing wrong with taxes on top', `${TAXED_PAYMENT}; ${ENTRY_OF_PAYMENT(20_000_000_000)}`, []],
  ['a hold that is more', 'UPDATE key_totals SET held_nano_usd = 6000 WHERE held_nano_usd > 0', ['key_held']],
  ['totals that are missing', 'DELETE FROM key_totals WHERE held_nano_usd > 0', ['key_spent', 'key_held']],
  [
    'a request billed to another account',
    `UPDATE requests SET account_id = 'acct_x' WHERE ${ANSWERED}`,
    ['key_account', 'usage_hourly'],
  ],
  [
    'a cost that was changed',
    `UPDATE requests SET cost_nano_usd = 0 WHERE ${ANSWERED}`,
    ['key_spent', 'usage_hourly', 'request_cost'],
  ],
  [
    'tokens that were changed',
    `UPDATE requests SET output_tokens = 12 WHERE ${ANSWERED}`,
    ['usage_hourly', 'request_cost', 'request_usage'],
  ],
  [
    'tokens that were changed together with their sums, at the same cost',
    `UPDATE requests SET input_tokens = 12, output_tokens = 10 WHERE ${ANSWERED};
     UPDATE usage_hourly u SET input_tokens = u.input_tokens + 5, output_tokens = u.output_tokens - 1
     FROM requests r WHERE r.${ANSWERED} AND u.key_id = r.key_id
       AND u.hour = date_trunc('hour', r.started_at)`,
    ['request_usage'],
  ],
  [
    'a stored usage report that was changed',
    `UPDATE requests SET raw_usage = '{"input_tokens":7,"output_tokens":1}' WHERE ${ANSWERED}`,
    ['request_usage'],
  ],
  [
    'a multiplier that was changed',
    `UPDATE requests SET price_ppm = 1000000 WHERE ${ANSWERED}`,
    ['request_cost'],
  ],
  [
    'a request billed at the price of another model',
    REPRICED("'cheap', timestamptz '2026-01-01'"),
    ['request_cost'],
  ],
  [
    'a request billed at a price that came later',
    REPRICED("'m', now() + interval '1 hour'"),
    ['request_cost'],
  ],
  ['a request billed at a price that was over', REPRICED("'m', timestamptz '2026-01-01'"), ['request_cost']],
  [
    'nothing wrong with the price of a model that answered in place of another',
    `${REPRICED("'cheap', timestamptz '2026-01-01'")};
     UPDATE requests SET served_terms = '{"model":"cheap-2","serviceTier":null,"speed":null,"inferenceGeo":null}'
     WHERE ${ANSWERED}`,
    [],
  ],
  [
    'an error that was forgotten',
    'UPDATE requests SET error_code = NULL WHERE status = 429',
    ['usage_hourly'],
  ],
  ['an hour that counts more', 'UPDATE usage_hourly SET requests = requests + 1', ['usage_hourly']],
  [
    'an hour that counts one answer less',
    `UPDATE usage_hourly SET latency_counts = count_time(latency_counts, 12, -1) WHERE errors = 0`,
    ['usage_hourly'],
  ],
  [
    'an hour that counts one first byte more',
    `UPDATE usage_hourly SET first_byte_counts = count_time(first_byte_counts, 8, 1)`,
    ['usage_hourly'],
  ],
  ['an hour that is missing', 'DELETE FROM usage_hourly WHERE charged_nano_usd = 0', ['usage_hourly']],
  [
    'hours that were not rolled up',
    `UPDATE usage_rolled SET until = now() + interval '1 hour'`,
    ['usage_rolled'],
  ],
  [
    'a hold that is missing',
    "DELETE FROM requests WHERE state = 'held'",
    ['key_held', 'balance_held', 'hold_listed'],
  ],
  ['a hold that is not listed', 'DELETE FROM held_requests', ['hold_listed']],
  [
    'a request that is listed as held and is not',
    `INSERT INTO held_requests SELECT id, started_at, 'rep_test' FROM requests WHERE ${ANSWERED}`,
    ['hold_listed'],
  ],
  [
    'a request that is there twice',
    `CREATE TEMP TABLE again AS SELECT * FROM requests WHERE ${ANSWERED};
     UPDATE again SET started_at = started_at + interval '1 second';
     INSERT INTO requests SELECT * FROM again`,
    ['key_spent', 'usage_hourly', 'request_once'],
  ],
  [
    'a request that cost more than its hold',
    "UPDATE requests SET held_nano_usd = 1 WHERE state = 'settled' AND charges_balance",
    ['request_over_hold'],
  ],
  [
    'a balance that was changed',
    'UPDATE balances SET available_nano_usd = available_nano_usd - 1 WHERE available_nano_usd > 0',
    ['balance_available'],
  ],
  ['a hold of a balance', 'UPDATE balances SET held_nano_usd = 0', ['balance_held']],
  ['a balance that is missing', 'DELETE FROM balances', ['balance_missing', 'balance_held']],
  [
    'usage posted twice',
    'UPDATE usage_hourly SET posted_nano_usd = 0',
    ['balance_available', 'usage_posted'],
  ],
  [
    'an entry that was deleted',
    `ALTER TABLE ledger_entries DISABLE TRIGGER USER;
     DELETE FROM ledger_entries WHERE kind = 'usage';
     ALTER TABLE ledger_entries ENABLE TRIGGER USER`,
    ['balance_available', 'usage_posted'],
  ],
  [
    'an entry from the wallet to the wallet',
    `ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_check;
     INSERT INTO ledger_entries (id, account_id, kind, debit, credit, amount_nano_usd, idempotency_key)
     SELECT 'led_1', account_id, 'adjustment', 'wallet', 'wallet', 5, 'x' FROM balances LIMIT 1`,
    ['entry_books'],
  ],
  [
    'a guard that is switched off',
    'ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_append_only',
    ['entry_guard'],
  ],
  ['a guard that is missing', 'DROP TRIGGER accounts_open_balance ON accounts', ['entry_guard']],
  [
    'a hold of a replica that is long silent',
    `${BEGUN_EARLIER};
     UPDATE replicas SET heartbeat_at = now() - interval '66 seconds'`,
    ['hold_lost'],
  ],
  [
    'a hold of a replica that is missing',
    `${BEGUN_EARLIER};
     DELETE FROM replicas`,
    ['hold_lost'],
  ],
  ['nothing wrong with a long request of a living replica', BEGUN_EARLIER, []],
  [
    'nothing wrong with a replica that is silent for a minute',
    `${BEGUN_EARLIER};
     UPDATE replicas SET heartbeat_at = now() - interval '60 seconds'`,
    [],
  ],
];

describe('verifyLedger, after', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await createUsedLedger(database);
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it.each(DAMAGES)('%s', async (_, damage, checks) => {
    const undone = new Error('undone');
    const verifying = inTransaction(database.db, async (tx) => {
      await tx.drizzle.execute(sql.raw(damage));
      const { findings } = await verifyLedger(tx, { recompute: null, decodeUsage: decodeRawUsage });
      expect(findings.map(({ check }) => check)).toEqual(checks);
      throw undone;
    });
    await expect(verifying).rejects.toBe(undone);
  });

  it('has a damage for every check', () => {
    const damaged = new Set(DAMAGES.flatMap(([, , checks]) => checks));
    expect(LEDGER_CHECKS.filter((check) => !damaged.has(check))).toEqual(['balance_floor']);
  });
});
