import { addUnknownMembers } from '@tollgate/db/queries/contracts/unknown-members';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createFakeProvider, type FakeProvider } from '@tollgate/testing/fake-provider/create-fake-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('tollgate provider', () => {
  let database: TestDatabase;
  let provider: FakeProvider;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    provider = await createFakeProvider({ apiKey: 'right-key', models: ['a', 'b'] });
    tollgate = createTollgate({ DATABASE_URL: database.url });
  });
  afterAll(async () => {
    await provider.close();
    await database[Symbol.asyncDispose]();
  });

  /** Returns the command that adds the fake provider under a name. */
  const add = (name: string) =>
    `provider add --name ${name} --dialect openai-chat --base-url ${provider.origin}/v1`;

  it.each(['openai-chat', 'anthropic-messages'])('tests a provider of dialect %s', async (dialect) => {
    const added = await tollgate.withInput(
      'right-key\n',
      `provider add --name good-${dialect} --dialect ${dialect} --base-url ${provider.origin}/v1/ --api-key -`,
    );
    expect(added.code).toBe(0);
    const tested = await tollgate.json('provider test', `good-${dialect}`);
    expect(tested).toEqual({
      name: `good-${dialect}`,
      url: `${provider.origin}/v1/models`,
      status: 200,
      latencyMs: expect.any(Number),
      models: 2,
      model: null,
    });
  });

  it('stores the credential encrypted and never shows it', async () => {
    const header = ['--header', 'X-Team: blue-secret'];
    const added = await tollgate(`${add('sealed')} --api-key right-key --json`, ...header);
    const listed = await tollgate('provider list --json');
    expect(added.stdout + listed.stdout).not.toMatch(/right-key|blue-secret/);
    expect(JSON.parse(added.stdout)).toMatchObject({
      credential: 'stored',
      headers: ['x-team'],
      baseUrl: `${provider.origin}/v1`,
    });
    const [row] = await database.db.sql<{ sealed: Buffer }[]>`
      SELECT credential_sealed || headers_sealed AS sealed FROM providers WHERE name = 'sealed'`;
    expect(row?.sealed.toString('latin1')).not.toMatch(/right-key|blue-secret/);
    const refused = await tollgate(add('refused'), '--header', 'Authorization: Bearer x');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is set by the credential') });
  });

  it('lists unknown request fields, and allows them by name', async () => {
    await tollgate(`${add('members')} --api-key right-key`);
    await addUnknownMembers(database.db, [
      {
        provider: 'members',
        member: 'brand_new',
        client: 'claude-cli',
        accountId: 'acct_a',
        requests: 3,
        firstSeenAtMs: 1_000,
        lastSeenAtMs: 2_000,
      },
    ]);
    const allowed = await tollgate('provider members --name members --allow brand_new,tools.mine --json');
    expect(JSON.parse(allowed.stdout)).toMatchObject({
      allowed: ['brand_new', 'tools.mine'],
      unknown: [{ member: 'brand_new', client: 'claude-cli', requests: 3 }],
    });
    const shown = await tollgate('provider members --name members --disallow tools.mine');
    expect(shown.stdout).toMatch(/^Allowed: brand_new\n[\s\S]*brand_new +claude-cli +3 .*yes/);
    expect(await tollgate('provider members --name members --allow', 'a b')).toMatchObject({ code: 2 });
    expect((await tollgate('provider members')).stdout).toMatch(/PROVIDER[\s\S]*members +brand_new/);
    expect(await tollgate('provider members --allow brand_new')).toMatchObject({ code: 2 });
  });

  it('reads the key from PROVIDER_API_KEY, hidden from process lists', async () => {
    const env = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
    };
    await createTollgate({ ...env, PROVIDER_API_KEY: 'right-key' }).json(add('from-env'));
    expect(await createTollgate(env).json('provider', 'test', 'from-env')).toMatchObject({ status: 200 });
  });

  it('explains what is wrong with a provider', async () => {
    const closedPort = await findFreePort();
    await tollgate.json(`${add('wrong-key')} --api-key wrong-key`);
    await tollgate.json(
      `provider add --name missing --dialect openai-chat --base-url http://127.0.0.1:${closedPort}/v1`,
    );
    const wrong = await tollgate('provider test wrong-key');
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('401: the key is not accepted') });
    const missing = await tollgate('provider test missing --json');
    expect(JSON.parse(missing.stderr)).toEqual({
      error: {
        code: 'provider_unreachable',
        message: `http://127.0.0.1:${closedPort}/v1/models cannot be reached: nothing listens at this address`,
      },
    });
  });

  it('reports a credential that was encrypted with another ENCRYPTION_KEY', async () => {
    await tollgate.json(`${add('other-seal')} --api-key right-key`);
    const { code, stderr } = await createTollgate({ DATABASE_URL: database.url })(
      'provider',
      'test',
      'other-seal',
    );
    expect(code).toBe(1);
    expect(stderr).toContain('Set the ENCRYPTION_KEY it was stored with');
  });

  it.each([
    ['ftp://example.com', 'must be an http(s) URL'],
    ['https://user:pw@example.com/v1', 'must not contain a credential'],
    ['https://api.openai.com/v1/chat/completions', 'comes before the endpoint: https://api.openai.com/v1'],
  ])('rejects the base URL %s', async (baseUrl, message) => {
    const args = `provider add --name x --dialect openai-chat --base-url ${baseUrl}`;
    expect(await tollgate(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('rejects a duplicate name, and removes a provider with its routes', async () => {
    await tollgate.json(add('gone'));
    expect(await tollgate(add('gone'))).toMatchObject({ code: 1 });
    await tollgate.json('model add --id m --input-price 1 --output-price 2');
    await tollgate.json('route add --model m --provider gone');
    expect(await tollgate.json('provider remove gone')).toMatchObject({
      name: 'gone',
      removedRoutes: 1,
    });
    expect(await tollgate.json('route list')).toEqual({ routes: [] });
  });
});
