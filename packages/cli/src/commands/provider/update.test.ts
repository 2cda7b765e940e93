import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

const listSchema = z.object({ providers: z.array(z.looseObject({ name: z.string() })) });

describe('tollgate provider update', () => {
  let database: TestDatabase;
  let fake: FakeProvider;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    fake = await createFakeProvider({ apiKey: 'right-key', models: ['a', 'b'] });
    tollgate = createTollgate({ DATABASE_URL: database.url });
    await tollgate.json(
      `provider add --name own --dialect openai-chat --base-url ${fake.origin}/v1 --api-key old-key --total-timeout-ms 5000`,
    );
    await tollgate.json('model add --id m --input-price 1 --output-price 2');
    await tollgate.json('route add --model m --provider own');
  });
  afterAll(async () => {
    await fake.close();
    await database[Symbol.asyncDispose]();
  });

  it('replaces the credential, and keeps routes and limits', async () => {
    expect((await tollgate('provider test own')).code).toBe(1);
    const changed = await tollgate('provider update own --api-key right-key');
    expect(changed).toEqual({
      code: 0,
      stdout: 'Updated provider own. The change applies to the next request.\n',
      stderr: '',
    });
    expect(await tollgate.json('provider test own')).toMatchObject({ status: 200 });
    const { providers } = listSchema.parse(await tollgate.json('provider list'));
    expect(providers).toContainEqual(
      expect.objectContaining({
        name: 'own',
        routes: 1,
        timeouts: expect.objectContaining({ totalMs: 5000 }),
      }),
    );
  });

  it('changes the address, the headers and the limits, and resets a limit', async () => {
    const changed = await tollgate.json(
      'provider update own --base-url https://other.example/v1/ --total-timeout-ms default --max-concurrency 4 --header',
      'x-team: blue',
    );
    expect(changed).toMatchObject({
      baseUrl: 'https://other.example/v1',
      timeouts: { connectMs: null, totalMs: null },
      maxConcurrency: 4,
      headers: ['x-team'],
      credential: 'stored',
    });
    const [entry] = await database.db
      .sql`SELECT detail FROM audit_log WHERE action = 'provider.change' ORDER BY at DESC LIMIT 1`;
    expect(entry?.['detail']).toMatchObject({ maxConcurrency: 4, credentialChanged: false });
    expect(JSON.stringify(entry)).not.toContain('blue');
  });

  it('puts a changed setting into the address of the preset', async () => {
    await tollgate.json(
      'provider add --name cloud --preset bedrock-openai --setting region=us-east-1 --api-key key',
    );
    const changed = await tollgate.json('provider update cloud --setting region=eu-west-1');
    expect(changed).toMatchObject({ settings: { region: 'eu-west-1' }, credential: 'stored' });
    expect(JSON.stringify(changed)).toContain('eu-west-1');
    expect(JSON.stringify(changed)).not.toContain('us-east-1');
  });

  it('keeps a separate address when a setting of the preset changes', async () => {
    await tollgate.json(
      'provider add --name proxied --preset bedrock-openai --setting region=us-east-1 --base-url https://proxy.example/v1 --api-key key',
    );
    const refused = await tollgate('provider update proxied --setting region=eu-west-1');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('Give --base-url, too: https://proxy.example/v1');
    const changed = await tollgate.json(
      'provider update proxied --setting region=eu-west-1 --base-url https://proxy.example/v1',
    );
    expect(changed).toMatchObject({
      baseUrl: 'https://proxy.example/v1',
      settings: { region: 'eu-west-1' },
    });
  });

  it.each([
    ['own', 2, 'Give at least one option to change\n'],
    ['own --max-concurrency x', 2, '--max-concurrency: must be a whole number from 1 to 1000000'],
    ['own --setting region=x', 2, '--setting: own has no preset\n'],
    ['none --max-concurrency 2', 1, 'Provider none does not exist.'],
    ['demo --max-concurrency 2', 1, 'demo is built into the API and cannot be changed.\n'],
  ])('refuses %s', async (line, code, message) => {
    await ensureBuiltIn(database.db, {
      name: 'demo',
      dialect: 'demo',
      baseUrl: null,
      credentialEnv: null,
      preset: null,
      models: [],
    });
    const refused = await tollgate(`provider update ${line}`);
    expect(refused.code).toBe(code);
    expect(refused.stderr).toContain(message);
  });

  it('is what provider add recommends for an existing name', async () => {
    const again = await tollgate(
      `provider add --name own --dialect openai-chat --base-url ${fake.origin}/v1`,
    );
    expect(again.stderr).toContain('Provider own already exists. Change it with');
    expect(again.stderr).toContain('provider update own');
  });
});
