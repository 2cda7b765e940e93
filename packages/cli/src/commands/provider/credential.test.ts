import { setCredentialAside } from '@tollgate/db/queries/providers/set-aside-credentials';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('tollgate provider credential', () => {
  let database: TestDatabase;
  let fake: FakeProvider;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    fake = await createFakeProvider({ apiKey: 'right-key', models: ['a'] });
    tollgate = createTollgate({ DATABASE_URL: database.url });
    await tollgate.json(
      `provider add --name many --dialect openai-chat --base-url ${fake.origin}/v1 --api-key wrong-key`,
    );
  });
  afterAll(async () => {
    await fake.close();
    await database[Symbol.asyncDispose]();
  });
  const findId = async (label: string) => {
    const [row] = await database.db.sql<{ id: string; version: number }[]>`
      SELECT id, version FROM provider_credentials WHERE label = ${label}`;
    if (row === undefined) throw new Error(`There is no credential ${label}`);
    return row;
  };

  it('adds a credential from stdin, which is stored encrypted, tested and never shown', async () => {
    const added = await tollgate.withInput(
      'right-key\n',
      'provider credential add many --label second --weight 3 --api-key - --json',
    );
    expect(JSON.parse(added.stdout)).toMatchObject({ label: 'second', weight: 3, credential: 'stored' });
    const listed = await tollgate('provider credential list many');
    expect(listed.stdout).toMatch(/first +1 +stored +in use\nsecond +3 +stored +in use/);
    expect(added.stdout + listed.stdout).not.toContain('right-key');
    const rows = await database.db.sql`
      SELECT encode(credential_sealed, 'escape') AS text FROM provider_credentials
      UNION ALL SELECT detail::text FROM audit_log`;
    expect(JSON.stringify(rows)).not.toContain('right-key');
    expect(await tollgate.json('provider test many --credential second')).toMatchObject({ status: 200 });
    expect((await tollgate('provider test many')).stderr).toContain('the key is not accepted');
  });

  it('changes a weight', async () => {
    expect(await tollgate.json('provider credential weight many second --weight 5')).toMatchObject({
      weight: 5,
    });
    expect((await tollgate('provider credential weight many second --weight 0')).code).toBe(2);
  });

  it('shows which one is set aside, in the doctor too, and restores it', async () => {
    const at = new Date('2026-11-01T00:00:00Z');
    const refused = { cause: 'no_credit', message: 'No credit left.', at } as const;
    expect(await setCredentialAside(database.db, { ...(await findId('second')), ...refused })).toBe(true);
    expect((await tollgate('provider credential list many')).stdout).toContain(
      'set aside, no credit, since 2026-11-01 00:00 UTC: No credit left.',
    );
    expect((await tollgate('doctor')).stdout).toContain('many (second): no credit');
    expect(await tollgate.json('provider credential restore many second')).toMatchObject({ setAside: null });
    expect((await tollgate('provider credential restore many second')).stdout).toContain('is not set aside');
    expect((await tollgate('doctor')).stdout).not.toContain('many (second)');
  });

  it('does not set aside a value that was replaced meanwhile', async () => {
    const before = await findId('first');
    await tollgate.json('provider update many --api-key other-key');
    const refused = { ...before, cause: 'refused', message: null, at: new Date() } as const;
    expect(await setCredentialAside(database.db, refused)).toBe(false);
  });

  it('removes the first one, and the next one takes its place', async () => {
    expect(await tollgate.json('provider credential remove many first')).toMatchObject({ label: 'first' });
    expect(await tollgate.json('provider credential list many')).toMatchObject({
      credentials: [{ label: 'second', weight: 5, credential: 'stored' }],
    });
    expect(await tollgate.json('provider test many')).toMatchObject({ status: 200 });
    expect((await tollgate('provider credential remove many second')).stderr).toContain(
      'is the only credential',
    );
  });

  it.each([
    ['add many --label second --api-key k', 'has a credential second already'],
    ['add many --label Not-Valid --api-key k', 'Use 1 to 63 lower-case letters'],
    ['add none --label x --api-key k', 'Provider none does not exist'],
    ['remove many third', 'many has no credential third. It has: second.'],
  ])('refuses %j', async (command, message) => {
    expect((await tollgate(`provider credential ${command}`)).stderr).toContain(message);
  });

  it('needs a first credential, and takes 16 at most', async () => {
    await tollgate.json(`provider add --name open --dialect openai-chat --base-url ${fake.origin}/v1`);
    expect((await tollgate('provider credential add open --label x --api-key k')).stderr).toContain(
      'open has no credential yet',
    );
    const { id } = (await tollgate.json('provider update open --api-key k')) as { id: string };
    await database.db.sql`INSERT INTO provider_credentials (id, provider_id, label, credential_sealed)
      SELECT 'cred_' || n, ${id}, 'more-' || n, '\\x00' FROM generate_series(1, 15) n`;
    expect((await tollgate('provider credential add open --label x --api-key k')).stderr).toContain(
      'at most 16 credentials',
    );
  });
});
