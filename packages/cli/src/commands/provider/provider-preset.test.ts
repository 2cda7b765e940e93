import { generateKeyPairSync } from 'node:crypto';
import { createSealer } from '@tollgate/auth/seal';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { parseCredential } from '@tollgate/upstreams/credential/credential';
import { PRESETS } from '@tollgate/upstreams/presets/presets';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

const ENCRYPTION_KEY = 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';

describe('tollgate provider add --preset', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url, ENCRYPTION_KEY });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  /** Decrypts the stored credential of a provider. */
  async function openStored(name: string) {
    const [row] = await database.db.sql<{ id: string; sealed: Buffer }[]>`
      SELECT id, credential_sealed AS sealed FROM providers WHERE name = ${name}`;
    if (row === undefined) throw new Error(`no provider ${name}`);
    return parseCredential(createSealer(ENCRYPTION_KEY).open(row.sealed, `provider:${row.id}`));
  }

  it('needs only the key, and keeps the given limits', async () => {
    const limits = '--connect-timeout-ms 2000 --total-timeout-ms 60000 --max-concurrency 8';
    const added = await tollgate.withInput(
      'gsk-secret\n',
      `provider add --preset groq ${limits} --api-key - --json`,
    );
    expect(JSON.parse(added.stdout)).toMatchObject({
      name: 'groq',
      preset: 'groq',
      dialect: 'openai-chat',
      baseUrl: 'https://api.groq.com/openai/v1',
      credential: 'stored',
      timeouts: { connectMs: 2000, firstByteMs: null, idleMs: null, totalMs: 60_000 },
      maxConcurrency: 8,
    });
    expect(added.stdout).not.toContain('gsk-secret');
    const listed = await tollgate('provider list');
    expect(listed.stdout).toContain('connect 2000 ms, total 60000 ms, 8 concurrent');
  });

  it('fills settings into the base URL, and reads AWS keys', async () => {
    const added = await tollgate.json(
      'provider add --preset bedrock-anthropic --name claude --setting region=eu-central-1',
      '--api-key',
      'AKIDEXAMPLE12345:wJalrSecret',
    );
    expect(added).toMatchObject({
      dialect: 'anthropic-messages',
      baseUrl: 'https://bedrock-runtime.eu-central-1.amazonaws.com',
      settings: { region: 'eu-central-1' },
    });
    expect(await openStored('claude')).toMatchObject({ kind: 'aws', secretAccessKey: 'wJalrSecret' });
  });

  it('reads a service account file from stdin', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const account = { type: 'service_account', client_email: 'a@b.example', private_key: privateKey };
    const added = await tollgate.withInput(
      JSON.stringify(account, null, 2),
      'provider add --preset vertex-anthropic --setting project=p-1 --setting region=global --api-key -',
    );
    expect(added).toMatchObject({ code: 0 });
    expect(await openStored('vertex-anthropic')).toMatchObject({ kind: 'google', privateKey });
  });

  it('prefers a given base URL over that of the preset', async () => {
    const added = await tollgate.json('provider add --preset ollama --base-url http://gpu.example:11434/v1');
    expect(added).toMatchObject({ baseUrl: 'http://gpu.example:11434/v1', credential: 'none' });
  });

  it.each(PRESETS.filter((preset) => preset.baseUrl.includes('{')))(
    'needs no setting for the base URL of $name if one is given',
    async ({ name, credential }) => {
      const { privateKey } = generateKeyPairSync('rsa', {
        modulusLength: 2048,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      });
      const account = { type: 'service_account', client_email: 'a@b.example', private_key: privateKey };
      const baseUrl = 'https://proxy.example/v1';
      // Amazon's requests are signed for a region, whatever their URL is.
      const signedFor = credential === 'aws' ? ['--setting', 'region=eu-central-1'] : [];
      const added = await tollgate.json(
        `provider add --preset ${name} --name own-${name} --base-url ${baseUrl}`,
        ...signedFor,
        '--api-key',
        credential === 'google' ? JSON.stringify(account) : 'a-key-0123456789',
      );
      expect(added).toMatchObject({ preset: name, baseUrl });
    },
  );

  it.each([
    ['--preset missing', 'unknown preset missing. Presets: openai, anthropic'],
    ['--preset groq', '--api-key: Groq needs an API key'],
    ['--preset groq --dialect anthropic-messages --api-key k', 'groq uses openai-chat'],
    ['--preset azure-openai --api-key k', 'Azure OpenAI needs --setting resource=…'],
    ['--preset azure-openai --api-key k --base-url https://x.example --setting a=b', 'it takes resource'],
    ['--preset bedrock-openai --api-key a:b --base-url https://x.example', 'needs --setting region=…'],
    ['--preset groq --setting region=x --api-key k', 'groq has no setting region'],
    ['--preset vertex-gemini --setting project=p --setting region=eu --api-key k', 'a service account'],
    ['--name x --dialect openai-chat', 'Give --preset, or --name, --dialect and --base-url'],
    ['--preset groq --api-key k --max-concurrency 0', 'must be a whole number from 1 to 1000000'],
  ])('rejects %s with the reason', async (typed, message) => {
    expect(await tollgate(`provider add ${typed}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  });

  it('lists every preset with its settings and credential', async () => {
    const { stdout } = await tollgate('provider presets');
    for (const { name, title } of PRESETS) expect(stdout).toMatch(new RegExp(`^${name} +${title}`, 'm'));
    expect(stdout).toMatch(/^vertex-gemini .* project, region +the JSON of a service account's key$/m);
    expect(await tollgate.json('provider presets')).toMatchObject({
      presets: PRESETS.map(({ name, baseUrl }) => ({ name, baseUrl })),
    });
  });
});
