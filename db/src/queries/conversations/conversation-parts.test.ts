import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteStale } from '../retention/delete-stale.ts';
import { keepStored } from '../retention/retention-setting.ts';
import { addPart, replacePart, type PartOwner } from './conversation-parts.ts';
import { insertConversation, lockConversation, setMetadata, unlockConversation } from './conversations.ts';
import { listParts } from './list-parts.ts';

const SILENT_FOR_MS = 20_000;
const UNOWNED = { silentForMs: SILENT_FOR_MS, maxSize: 100 };
const PART = { sealed: Buffer.from('sealed'), size: 40 };

describe('a conversation', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.db.sql`INSERT INTO replicas (id) VALUES ('rep_alive')`;
    await database.db
      .sql`INSERT INTO replicas (id, heartbeat_at) VALUES ('rep_silent', now() - interval '21 seconds')`;
  });
  afterAll(() => database[Symbol.asyncDispose]());

  async function createConversation() {
    const { db } = database;
    const { accountId } = await createAccountFixture(db);
    await keepStored(db, 'responses', { accountId, actorUserId: null, retentionDays: 7, now: new Date(0) });
    const place = { accountId, id: 'conv_1', now: new Date() };
    await insertConversation(db, { ...place, metadata: Buffer.from('sealed') });
    return {
      place,
      add: (id: string, owner: PartOwner = UNOWNED, maxParts = 10) =>
        addPart(db, place, { ...PART, id }, { owner, maxParts }),
      lock: (requestId: string, replicaId: string) =>
        lockConversation(db, place, { requestId, replicaId, silentForMs: SILENT_FOR_MS }),
      list: async () => (await listParts(db, place)).map(({ id }) => id),
    };
  }

  it('has one request at a time, until its replica is silent', async () => {
    const { lock } = await createConversation();
    expect(await lock('req_1', 'rep_silent')).toBe(true);
    expect(await lock('req_2', 'rep_alive')).toBe(true);
    expect(await lock('req_3', 'rep_alive')).toBe(false);
  });

  it('takes the items of the request that has it, once, and is free then', async () => {
    const { add, lock, list } = await createConversation();
    await lock('req_1', 'rep_alive');
    expect(await add('other', { requestId: 'req_2' })).toBe('locked');
    expect(await add('any')).toBe('locked');
    expect(await add('own', { requestId: 'req_1' })).toBe('added');
    expect(await add('again', { requestId: 'req_1' })).toBe('locked');
    expect(await add('any')).toBe('added');
    expect(await list()).toEqual(['own', 'any']);
  });

  it('is unlocked by the request that has it only', async () => {
    const { add, lock, place } = await createConversation();
    await lock('req_1', 'rep_alive');
    await unlockConversation(database.db, place, 'req_2');
    expect(await add('any')).toBe('locked');
    await unlockConversation(database.db, place, 'req_1');
    expect(await add('any')).toBe('added');
  });

  it('is full with its maximum of parts or bytes, also if several are added at the same time', async () => {
    const { add, lock } = await createConversation();
    const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((id) => add(id)));
    expect(outcomes.toSorted()).toEqual(['added', 'added', 'full', 'full']);
    await lock('req_1', 'rep_alive');
    expect(await add('response', { requestId: 'req_1' }, 2)).toBe('full');
    expect(await add('response', { requestId: 'req_1' })).toBe('added');
  });

  it('counts the bytes of its metadata', async () => {
    const { place } = await createConversation();
    await setMetadata(database.db, { ...place, metadata: Buffer.from('sealed again') });
    const [row] = await database.db.sql<{ bytes: bigint }[]>`
      SELECT bytes FROM conversations WHERE account_id = ${place.accountId}`;
    expect(row).toEqual({ bytes: 12n });
  });

  it('that does not exist takes nothing', async () => {
    const { place } = await createConversation();
    const added = addPart(
      database.db,
      { ...place, id: 'conv_2' },
      { ...PART, id: 'a' },
      { owner: UNOWNED, maxParts: 10 },
    );
    expect(await added).toBe('missing');
  });

  it('does not replace a part that has changed, nor while a request has it', async () => {
    const { add, lock, place } = await createConversation();
    await add('a');
    const [old] = await listParts(database.db, place);
    if (old === undefined) throw new Error('There is no part');
    const replacement = { sealed: Buffer.from('less'), size: 20, silentForMs: SILENT_FOR_MS };
    expect(await replacePart(database.db, place, old, replacement)).toBe(true);
    expect(await replacePart(database.db, place, old, replacement)).toBe(false);
    const [next] = await listParts(database.db, place);
    expect(next).toMatchObject({ size: 20, revision: 1 });
    await lock('req_1', 'rep_alive');
    expect(await replacePart(database.db, place, next ?? old, replacement)).toBe(false);
    const [row] = await database.db.sql<{ size: bigint; bytes: bigint }[]>`
      SELECT size, bytes FROM conversations WHERE account_id = ${place.accountId}`;
    expect(row).toEqual({ size: 20n, bytes: BigInt('sealed'.length + 'less'.length) });
  });

  it('is not deleted as stale if it changes at the same time', async () => {
    const { place, list, add } = await createConversation();
    const { accountId } = place;
    const { sql } = database.db;
    await sql`UPDATE conversations SET updated_at = now() - interval '8 days' WHERE account_id = ${accountId}`;
    const changed = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const changing = sql.begin(async (tx) => {
      await tx`UPDATE conversations SET updated_at = now() WHERE account_id = ${accountId}`;
      changed.resolve();
      await gate.promise;
    });
    await changed.promise;
    const deleting = deleteStale(database.db, 'responses', { accountId, now: new Date() });
    await expect
      .poll(
        () => sql`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%DELETE%'`,
      )
      .toHaveLength(1);
    gate.resolve();
    await changing;
    expect(await deleting).toBe(0);
    await add('a');
    expect(await list()).toEqual(['a']);
  });
});
