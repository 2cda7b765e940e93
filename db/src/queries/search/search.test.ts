import { commitBatch } from '@tollgate/testing/commit-batch';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { requestRecord } from '@tollgate/testing/ledger-records';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sumRequests } from '../usage/providers/sum-requests.ts';
import { listAccountArms, searchAccount } from './search-account.ts';
import { joinArms, type SearchArm, type SearchHit } from './search-hit.ts';
import { listInstallationArms, searchInstallation } from './search-installation.ts';

/** Only the partition of this month has rows. */
const PARTITION = `requests_${new Date().toISOString().slice(0, 7).replace('-', '_')}`;
const LARGE_TABLES = new RegExp(
  String.raw`Seq Scan on (${PARTITION}|api_keys|accounts|users|memberships|payments)\b`,
);

describe('the search', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  async function createContent(name: string) {
    const { db } = database;
    const { user, accountId } = await createAccountFixture(db, { email: `${name}@example.com` });
    const { key } = await createKeyFixture(db, accountId, { name: `Key of ${name}` });
    const record = requestRecord({ accountId, keyId: key.id }, { model: 'gpt-5-mini' });
    await commitBatch(db, { settlements: [record] });
    const [payment, intent, receipt] = [`pay_${name}`, `pi_${name}`, `R-2026-${name.toUpperCase()}`];
    await db.sql`
      INSERT INTO payments (id, account_id, kind, provider, amount_cents, state, payer_email, payment_intent_id,
        receipt_number, paid_at)
      VALUES (${payment}, ${accountId}, 'checkout', 'test', 1234, 'paid', ${user.email}, ${intent}, ${receipt}, now())`;
    return {
      accountId,
      userId: user.id,
      email: user.email,
      key,
      requestId: record.id,
      payment,
      intent,
      receipt,
    };
  }
  const getNames = (hits: readonly SearchHit[]) => hits.map(({ kind, id }) => `${kind} ${id}`);

  it('finds every kind of content by ID and by name, in the account and in the installation', async () => {
    const own = await createContent('anna');
    const ends = `${own.key.prefix}…${own.key.last4}`;
    const cases: [text: string, kind: string, id: string][] = [
      [own.requestId, 'request', own.requestId],
      [own.key.id, 'key', own.key.id],
      ['key OF an', 'key', own.key.id],
      [ends, 'key', own.key.id],
      [own.key.prefix, 'key', own.key.id],
      [own.key.last4, 'key', own.key.id],
      ['Anna@ex', 'member', own.userId],
      [own.userId, 'member', own.userId],
      [own.payment, 'payment', own.payment],
      [own.intent, 'payment', own.payment],
      [own.receipt.toLowerCase(), 'payment', own.payment],
    ];
    const missed: string[] = [];
    for (const [text, kind, id] of cases) {
      const inAccount = await searchAccount(database.db, { accountId: own.accountId, text });
      const everywhere = await searchInstallation(database.db, { text, actorUserId: null });
      if (!getNames(inAccount).includes(`${kind} ${id}`)) missed.push(`${text} in the account`);
      if (!getNames(everywhere).includes(`${kind} ${id}`)) missed.push(`${text} in the installation`);
    }
    expect(missed).toEqual([]);
    const [request] = await searchAccount(database.db, { accountId: own.accountId, text: own.requestId });
    expect(request).toEqual({
      kind: 'request',
      id: own.requestId,
      label: own.requestId,
      detail: 'gpt-5-mini',
      account: { id: own.accountId, name: own.email },
    });
  });

  it('finds nothing of a foreign account', async () => {
    const foreign = await createContent('bert');
    const { accountId } = await createContent('carl');
    const ends = `${foreign.key.prefix}…${foreign.key.last4}`;
    const { requestId, key, email, userId, payment, intent, receipt } = foreign;
    const found: SearchHit[] = [];
    for (const text of [requestId, key.id, 'Key of bert', ends, email, userId, payment, intent, receipt])
      found.push(...(await searchAccount(database.db, { accountId, text })));
    expect(found).toEqual([]);
  });

  it('finds a request by the ID of its provider, for members only if they pay the provider themselves', async () => {
    const { db } = database;
    const { accountId, key } = await createContent('gina');
    const add = (id: string, ownCredential: boolean) =>
      requestRecord({ accountId, keyId: key.id }, { providerRequestId: id, ownCredential });
    const [operators, own] = [add('req_011CS', false), add('chatcmpl-7', true)];
    await commitBatch(db, { settlements: [operators, own] });
    await sumRequests(db, Date.now());
    const everywhere = async (text: string) =>
      getNames(await searchInstallation(db, { text, actorUserId: null }));
    expect(await everywhere('req_011CS')).toEqual([`request ${operators.id}`]);
    expect(await everywhere('chatcmpl-7')).toEqual([`request ${own.id}`]);
    const inAccount = async (text: string) => getNames(await searchAccount(db, { accountId, text }));
    expect(await inAccount('req_011CS')).toEqual([]);
    expect(await inAccount('chatcmpl-7')).toEqual([`request ${own.id}`]);
    const other = await createContent('hugo');
    expect(await searchAccount(db, { accountId: other.accountId, text: 'chatcmpl-7' })).toEqual([]);
  });

  it('finds accounts, models and providers of the installation, and treats wildcards as text', async () => {
    const { accountId } = await createContent('dora');
    const { db } = database;
    await db.sql`INSERT INTO models (id, title) VALUES ('claude-x', 'Claude X')`;
    await db.sql`INSERT INTO providers (id, name, dialect) VALUES ('prov_1', 'acme-demo', 'demo')`;
    const find = async (text: string) => getNames(await searchInstallation(db, { text, actorUserId: null }));
    expect(await find('dora@')).toContain(`account ${accountId}`);
    expect(await find(accountId)).toEqual([`account ${accountId}`]);
    expect(await find('laude x')).toEqual(['model claude-x']);
    expect(await find('ACME')).toEqual(['provider prov_1']);
    expect(await find('%%')).toEqual([]);
    expect(await searchAccount(db, { accountId, text: '%_' })).toEqual([]);
  });

  it('records operator searches that find something of an account, and no others', async () => {
    const { accountId, userId } = await createContent('emil');
    await searchInstallation(database.db, { text: 'emil@example', actorUserId: userId });
    await searchInstallation(database.db, { text: 'no such text', actorUserId: userId });
    const entries = await database.db.sql`
      SELECT action, subject, account_id, detail FROM audit_log WHERE actor_user_id = ${userId}`;
    expect(entries).toEqual([
      {
        action: 'search.run',
        subject: accountId,
        account_id: null,
        detail: { found: [`account ${accountId}`, `member ${userId}`] },
      },
    ]);
  });

  it('reads large tables only by index', async () => {
    const { accountId, key, requestId, receipt } = await createContent('frida');
    const { db } = database;
    await db.sql`
      INSERT INTO users (id, email, password_hash)
      SELECT 'user_' || n, 'filler-' || n || '@example.com', 'none' FROM generate_series(1, 4000) AS n`;
    await db.sql`
      INSERT INTO accounts (id, name) SELECT 'acct_' || n, 'Filler ' || n FROM generate_series(1, 4000) AS n`;
    await db.sql`
      INSERT INTO memberships (user_id, account_id, role)
      SELECT 'user_' || n, 'acct_' || n, 'owner' FROM generate_series(1, 4000) AS n`;
    await db.sql`
      INSERT INTO api_keys (id, account_id, name, hash, prefix, last4)
      SELECT 'key_' || n, 'acct_' || n, 'filler ' || n, decode(md5('a' || n) || md5('b' || n), 'hex'),
        'sk-' || lpad(n::text, 4, '0'), lpad(n::text, 4, '0') FROM generate_series(1, 4000) AS n`;
    await db.sql`
      INSERT INTO payments (id, account_id, kind, provider, amount_cents, payer_email)
      SELECT 'pay_' || n, 'acct_' || n, 'checkout', 'test', 500, 'f@example.com' FROM generate_series(1, 4000) AS n`;
    for (let batch = 0; batch < 4; batch += 1) {
      const owner = { accountId: `acct_${batch + 1}`, keyId: `key_${batch + 1}` };
      await commitBatch(db, { settlements: Array.from({ length: 500 }, () => requestRecord(owner)) });
    }
    await db.sql`ANALYZE`;
    const explain = async (arms: readonly SearchArm[]) => {
      const lines = await db.drizzle.execute<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${joinArms(arms)}`);
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    };
    const texts = [requestId, key.id, accountId, 'Filler 39', key.prefix, key.last4, 'pi_none', receipt];
    const scans: string[] = [];
    for (const text of texts) {
      for (const arms of [listInstallationArms(text), listAccountArms({ accountId, text })]) {
        const plan = await explain(arms);
        expect(plan).toContain('Index Scan');
        scans.push(...(plan.match(LARGE_TABLES) ?? []).slice(0, 1).map((scan) => `${text}: ${scan}`));
      }
    }
    expect(scans).toEqual([]);
  });
});
