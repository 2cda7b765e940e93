import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isKeyOfDatabase } from '@tollgate/auth/encryption-key';
import { withKeyCheck } from '@tollgate/db/queries/keys/key-check';
import { createTestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataDir, type DataDir } from '../../testing/data-dir.ts';
import { createTollgate, spawnTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

/** Starts the embedded server for each command. */
const TEST_MS = 90_000;
const ADD_PROVIDER =
  'provider add --name p --dialect openai-chat --base-url http://127.0.0.1:9/v1 --api-key secret';
const newKey = () => randomBytes(32).toString('base64');

describe('an embedded installation without its secrets.json', { timeout: TEST_MS }, () => {
  let dataDir: DataDir;
  let tollgate: Tollgate;
  let file: string;
  beforeAll(async () => {
    dataDir = createDataDir();
    file = path.join(dataDir.path, 'secrets.json');
    tollgate = spawnTollgate({ DATA_DIR: dataDir.path, ENCRYPTION_KEY: '' });
    await tollgate.json(ADD_PROVIDER);
  }, TEST_MS);
  afterAll(() => dataDir.remove());

  it('gets no new key: commands and doctor explain what is lost and how to restore it', async () => {
    rmSync(file);
    const { code, stderr } = await tollgate('account list');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'secrets.json is missing, and this installation has a database: provider credentials',
    );
    expect(stderr).toContain('Restore secrets.json from a backup.');
    const report = await tollgate('doctor');
    expect(report.code).toBe(1);
    expect(report.stdout).toMatch(/^fail {2}ENCRYPTION_KEY .*secrets\.json is missing/m);
    expect(existsSync(file)).toBe(false);
  });

  it('also reports a damaged file, and one of another installation', async () => {
    writeFileSync(file, '{"databasePassword": ');
    expect((await tollgate('account list')).stderr).toContain('secrets.json is damaged');
    writeFileSync(file, JSON.stringify({ databasePassword: 'other', encryptionKey: newKey() }));
    expect((await tollgate('account list')).stderr).toContain('the file belongs to another installation');
    rmSync(file);
  });

  it('works again with --accept-loss, without data encrypted with the lost key', async () => {
    const refused = await tollgate('secrets replace');
    expect({ code: refused.code, stderr: refused.stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('add --accept-loss'),
    });
    expect(await tollgate.json('secrets replace --accept-loss')).toEqual({
      deleted: { providers: 1, authenticators: 0, emails: 0, payloads: 0, responses: 0 },
    });
    const { encryptionKey } = JSON.parse(readFileSync(file, 'utf8'));
    expect(Buffer.from(encryptionKey, 'base64')).toHaveLength(32);
    expect(await tollgate.json('provider list')).toMatchObject({ providers: [{ name: 'p' }] });
    expect((await tollgate('doctor')).stdout).toMatch(/^ok {4}Credentials +0 stored credentials decrypted$/m);
    // Another key is now detected although nothing is encrypted.
    const other = spawnTollgate({ DATA_DIR: dataDir.path, ENCRYPTION_KEY: newKey() });
    expect((await other(ADD_PROVIDER.replace('--name p', '--name q'))).stderr).toContain(
      'The key in ENCRYPTION_KEY is not the one of this database',
    );
    expect((await other('doctor')).stdout).toMatch(/^fail {2}Database key/m);
  });
});

describe('the key of a database', () => {
  const check = (url: string, key: string, mayStore = true) =>
    withKeyCheck(url, (store) => isKeyOfDatabase(key, store, { mayStore }));

  it('is the key of the first service to start, and no other', async () => {
    await using database = await createTestDatabase();
    const [key, other] = [newKey(), newKey()];
    expect(await check(database.url, key, false)).toBe(true);
    expect(await check(database.url, key)).toBe(true);
    expect(await check(database.url, other)).toBe(false);
    expect(await check(database.url, key)).toBe(true);
    // If several services start at the same time with different keys, one wins.
    await database.db.sql`DELETE FROM encryption_key_check`;
    const keys = Array.from({ length: 5 }, newKey);
    const right = await Promise.all(keys.map((each) => check(database.url, each)));
    expect(right.filter(Boolean)).toHaveLength(1);
  });

  it('is derived from encrypted data in a database of an earlier release', async () => {
    await using database = await createTestDatabase();
    const key = newKey();
    await createTollgate({ DATABASE_URL: database.url, ENCRYPTION_KEY: key })(ADD_PROVIDER);
    expect(await check(database.url, newKey())).toBe(false);
    expect(await check(database.url, key)).toBe(true);
  });
});
