import { createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, type SignedIn } from '../testing/people.ts';

/** More than a batch of an export. */
const ROWS = 1_001;
const BATCH = 91;

describe('exports of more than a thousand rows', () => {
  let site: TestConsole;
  let person: SignedIn;
  beforeAll(async () => {
    site = await createTestConsole();
    person = await signUpOperator(site);
    const { accountId } = person;
    const { db, clock } = site.deps;
    const { sql } = db;
    const { key } = await createKeyFixture(db, accountId);
    await sql`
      INSERT INTO api_keys (id, account_id, name, hash, prefix, last4)
      SELECT k.id || n, account_id, name, sha256(n::text::bytea), prefix, last4
      FROM api_keys k, generate_series(2, ${ROWS}::int) AS n WHERE k.id = ${key.id}`;
    await sql`INSERT INTO key_totals (key_id) SELECT id FROM api_keys ON CONFLICT DO NOTHING`;
    await sql`
      INSERT INTO ledger_entries (id, account_id, kind, debit, credit, amount_nano_usd, idempotency_key)
      SELECT 'led_' || n, ${accountId}, 'credit', 'credits', 'wallet', 1, 'test:' || n
      FROM generate_series(2, ${ROWS}::int) AS n`;
    await sql`
      INSERT INTO payments (id, account_id, kind, provider, state, amount_cents, payer_email)
      SELECT 'pay_' || n, ${accountId}, 'checkout', 'stripe', 'expired', 500, ''
      FROM generate_series(1, ${ROWS}::int) AS n`;
    await sql`
      INSERT INTO accounts (id, name, plan_id)
      SELECT 'acct_' || n, 'Account ' || n, 'standard' FROM generate_series(2, ${ROWS}::int) AS n`;
    await sql`INSERT INTO balances (account_id) SELECT id FROM accounts ON CONFLICT DO NOTHING`;
    for (let begun = 0; begun < ROWS; begun += BATCH) {
      const settlements = Array.from({ length: Math.min(BATCH, ROWS - begun) }, (_, index) =>
        requestRecord({ accountId, keyId: key.id }, { startedAtMs: clock.nowMs() - begun - index }),
      );
      await commitBatch(db, { settlements });
    }
  });
  afterAll(() => site[Symbol.asyncDispose]());

  it.each(['keys', 'activity', 'payments', 'requests', 'installation-payments', 'accounts'])(
    'have every row of %s once',
    async (table) => {
      const path = `/exports/${table}.ndjson?accountId=${person.accountId}`;
      const lines = (await (await person.visitor.get(path)).text()).trimEnd().split('\n');
      const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
      expect(ids).toHaveLength(ROWS);
      expect(new Set(ids).size).toBe(ROWS);
    },
  );
});
