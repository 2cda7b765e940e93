import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addUnknownMembers,
  listUnknownMembers,
  MAX_MEMBERS_PER_ACCOUNT,
  MAX_MEMBERS_PER_PROVIDER,
  type UnknownMemberCount,
} from './unknown-members.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}_${String(at).padStart(4, '0')}`);

function seen(
  provider: string,
  accountId: string,
  members: readonly string[],
  lastSeenAtMs: number,
): UnknownMemberCount[] {
  const common = { provider, client: 'agent', accountId, requests: 1, firstSeenAtMs: lastSeenAtMs };
  return members.map((member) => ({ ...common, member, lastSeenAtMs }));
}

const listNames = async (provider: string) =>
  (await listUnknownMembers(database.db, provider)).map(({ member }) => member);

it('keeps the latest members of one account up to its share, whatever it sends', async () => {
  const { db } = database;
  await addUnknownMembers(db, seen('shared', 'acct_agent', ['top_a', 'brand_new'], 1_000));
  for (const second of [2, 3, 4])
    await addUnknownMembers(db, seen('shared', 'acct_junk', names(`junk_${second}`, 1_000), second * 1_000));
  const listed = await listNames('shared');
  expect(listed).toHaveLength(2 + MAX_MEMBERS_PER_ACCOUNT);
  expect(listed.slice(-2)).toEqual(['brand_new', 'top_a']);
  expect(listed[0]).toBe('junk_4_0000');
});

it('keeps no more than its bound for a provider, and lists a new member of a real client immediately', async () => {
  const { db } = database;
  const accounts = MAX_MEMBERS_PER_PROVIDER / MAX_MEMBERS_PER_ACCOUNT;
  for (let at = 0; at < accounts; at++)
    await addUnknownMembers(
      db,
      seen('full', `acct_${at}`, names(`old_${at}`, MAX_MEMBERS_PER_ACCOUNT), 1_000 + at),
    );
  expect(await listNames('full')).toHaveLength(MAX_MEMBERS_PER_PROVIDER);
  await addUnknownMembers(db, seen('other', 'acct_0', ['of_another_provider'], 1));
  await addUnknownMembers(db, seen('full', 'acct_agent', ['brand_new', 'newer'], 9_000));
  const listed = await listNames('full');
  expect(listed).toHaveLength(MAX_MEMBERS_PER_PROVIDER);
  expect(listed.slice(0, 2)).toEqual(['brand_new', 'newer']);
  // The names unseen for longest made room.
  expect(listed.filter((name) => name.startsWith('old_0_'))).toHaveLength(MAX_MEMBERS_PER_ACCOUNT - 2);
  expect(await listNames('other')).toEqual(['of_another_provider']);
});

it('keeps its bound if replicas store at the same time', async () => {
  const { db } = database;
  const accounts = Array.from({ length: 20 }, (_, at) => `acct_${at}`);
  await Promise.all(
    accounts.map((account, at) =>
      addUnknownMembers(db, seen('raced', account, names(account, MAX_MEMBERS_PER_ACCOUNT), 1_000 + at)),
    ),
  );
  const [row] = await db.sql<{ rows: bigint }[]>`
    SELECT count(*) AS rows FROM unknown_members WHERE provider = 'raced'`;
  expect(row?.rows).toBe(BigInt(MAX_MEMBERS_PER_PROVIDER));
});

it('counts a known member again, also of another account, and counts rows of earlier releases in no share', async () => {
  const { db } = database;
  await db.sql`INSERT INTO unknown_members (provider, member, client, requests, first_seen_at, last_seen_at)
    SELECT 'before', 'early_' || at, 'agent', 1, to_timestamp(0), to_timestamp(at) FROM generate_series(1, 100) AS at`;
  await addUnknownMembers(db, seen('before', 'acct_a', ['known'], 200_000));
  await addUnknownMembers(db, seen('before', 'acct_b', ['known'], 300_000));
  const listed = await listUnknownMembers(db, 'before');
  expect(listed).toHaveLength(101);
  expect(listed[0]).toMatchObject({ member: 'known', requests: 2, accountId: 'acct_a' });
  expect(listed[0]?.firstSeenAt.getTime()).toBe(200_000);
  expect(listed[0]?.lastSeenAt.getTime()).toBe(300_000);
});
