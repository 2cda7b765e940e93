import { randomBytes } from 'node:crypto';
import { KEY_SCOPE_FIELDS } from '@tollgate/core/keys/key-scope';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { FULL_SCOPE } from '@tollgate/testing/full-scope';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeys } from '../../schema/api-keys.ts';
import { findKeyByHash } from './key-lookup.ts';
import { findKeyDetail } from './key-summary.ts';
import { findKeyOverview } from './key-overview.ts';
import { rotateKey } from './rotate-key.ts';
import { encodeScope, SCOPE_PROPERTIES } from './scope-columns.ts';

describe('the scope of a key', () => {
  let database: TestDatabase;
  let owner: { accountId: string; keyId: string };
  let hash: Buffer;
  beforeAll(async () => {
    database = await createTestDatabase();
    for (const id of FULL_SCOPE.allowedModels) await database.db.sql`INSERT INTO models (id) VALUES (${id})`;
    const { accountId } = await createAccountFixture(database.db);
    const { key } = await createKeyFixture(database.db, accountId, FULL_SCOPE);
    owner = { accountId, keyId: key.id };
    hash = key.hash;
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const stored = encodeScope(FULL_SCOPE);

  it.each(KEY_SCOPE_FIELDS)(
    'stores %s and reads it for the api, the console and the command line',
    async (field) => {
      const property = SCOPE_PROPERTIES[field];
      expect(stored[property]).not.toBeNull();
      const { db } = database;
      const readers = {
        api: await findKeyByHash(db, hash),
        console: await findKeyDetail(db, { ...owner, nowMs: Date.now(), timeZone: 'UTC' }),
        commandLine: await findKeyOverview(db, owner.keyId),
      };
      for (const [reader, key] of Object.entries(readers))
        expect({ reader, value: key?.[property] }).toEqual({ reader, value: stored[property] });
    },
  );

  it('is the same after a rotation', async () => {
    const { key } = await createKeyFixture(database.db, owner.accountId, FULL_SCOPE);
    const rotated = await rotateKey(
      database.db,
      { nowMs: Date.now },
      {
        keyId: key.id,
        accountId: owner.accountId,
        actorUserId: null,
        endsAt: null,
        keepNanoUsd: 0n,
        minted: { hash: randomBytes(32), prefix: 'sk-0000', last4: '0000' },
      },
    );
    expect(rotated).toMatchObject({ ok: true, key: stored });
  });

  it('cannot be changed by SQL, whatever column it is in, and a revocation cannot be undone', async () => {
    const { sql } = database.db;
    const columns = await sql<{ name: string; type: string }[]>`
      SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = 'api_keys'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`;
    const refused: string[] = [];
    for (const { name, type } of columns) {
      const value = OTHER_VALUES[type];
      if (value === undefined) throw new Error(`Add a value of type ${type}, for the column ${name}`);
      const update = sql.unsafe(`UPDATE api_keys SET ${name} = ${value} WHERE id = '${owner.keyId}'`);
      const message = await update.then(
        () => '',
        (error: unknown) => String(error),
      );
      if (message.includes('cannot be changed')) refused.push(name);
    }
    const changeable = columns.map(({ name }) => name).filter((name) => !refused.includes(name));
    // A reference to no user is refused after the trigger.
    expect(changeable.toSorted()).toEqual(['created_by', 'ends_at', 'revoked_at', 'tags']);
    const scope = KEY_SCOPE_FIELDS.map((field) => apiKeys[SCOPE_PROPERTIES[field]].name);
    expect(scope.filter((column) => !refused.includes(column))).toEqual([]);
    await expect(sql`UPDATE api_keys SET revoked_at = NULL`).rejects.toThrow('stays revoked');
  });
});

/** A value of each type that differs from what a key has. */
const OTHER_VALUES: Record<string, string> = {
  text: `'other'`,
  'text[]': `'{other}'`,
  bytea: `decode(repeat('01', 32), 'hex')`,
  bigint: '1',
  integer: '1',
  'timestamp with time zone': `now()`,
};
