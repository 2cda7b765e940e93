import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  lstatSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { NO_RATES, type RateCard } from '@tollgate/core/money/rates/rate-card';
import { CLIENTS } from '@tollgate/core/clients/clients';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { createAccountFixture } from '@tollgate/testing/factories';
import { spawnApi, type ApiProcess } from '@tollgate/testing/spawn-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTollgate, type Tollgate } from '../testing/run-tollgate.ts';

let database: TestDatabase;
let api: ApiProcess;
let folder: string;
let home: string;
let tollgate: Tollgate;
let key: string;
let closedPort: number;

const PRICES: RateCard = {
  inputNanoUsdPerMtok: 1_000_000_000n,
  outputNanoUsdPerMtok: 5_000_000_000n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
  rates: NO_RATES,
};

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(path.join(tmpdir(), 'tollgate-connect-'));
  await ensureBuiltIn(database.db, {
    name: 'tollgate',
    dialect: 'demo',
    baseUrl: null,
    credentialEnv: null,
    preset: null,
    models: [{ id: 'tollgate-demo', upstreamModel: null, facts: {}, prices: PRICES }],
  });
  closedPort = await findFreePort();
  api = await spawnApi({ databaseUrl: database.url, dataDir: path.join(folder, 'data') });
  await createAccountFixture(database.db, { email: 'you@example.com' });
});
afterAll(async () => {
  await api.terminate();
  await database[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  home = mkdtempSync(path.join(folder, 'home-'));
  const env = { DATABASE_URL: database.url, PUBLIC_API_URL: api.baseUrl, HOME: home };
  const created = await createTollgate(env).json('key create --account you@example.com --name k');
  key = z.object({ key: z.string() }).parse(created).key;
  tollgate = createTollgate({ ...env, SERVICE_API_KEY: key });
});

const inHome = (...names: string[]) => path.join(home, ...names);
const getMode = (file: string) => statSync(file).mode & 0o777;

describe('tollgate connect', () => {
  it.each(CLIENTS.map(({ id, endpoint }) => [id, endpoint]))(
    'sends a first request as %s to %s, and reports its result',
    async (id, endpoint) => {
      const { code, stdout } = await tollgate(`connect ${id} --model tollgate-demo`);
      expect(stdout).toMatch(
        /Endpoint +\/v1\/\S+\n +Model +tollgate-demo\n +Status +200\n +Time +\d+ ms\n +Cost +\$0/,
      );
      expect(stdout).toContain(`Endpoint  ${endpoint}`);
      expect(stdout).not.toContain(key);
      expect(code).toBe(0);
    },
  );

  it('does not look like the client itself in the request log', async () => {
    await tollgate('connect codex');
    const rows = await database.db.sql<
      { client: string | null }[]
    >`SELECT client FROM requests WHERE endpoint = '/v1/responses'`;
    expect(new Set(rows.map(({ client }) => client))).toEqual(new Set(['tollgate-connect 1.0']));
  });

  it('creates a key and shows it once', async () => {
    const { stdout } = await tollgate(
      'connect opencode --create-key --account you@example.com --name agents',
    );
    expect(stdout).toMatch(/export SERVICE_API_KEY=sk-\w+\n/);
    const { keys } = z
      .object({ keys: z.array(z.object({ name: z.string() })) })
      .parse(await tollgate.json('key list --account you@example.com'));
    expect(keys.map(({ name }) => name)).toContain('agents');
  });

  it('writes a new file that only its owner can read, without a key', async () => {
    const { stderr, code } = await tollgate('connect codex --write --yes');
    const file = inHome('.codex/config.toml');
    expect(stderr).toContain('+wire_api = "responses"');
    expect(readFileSync(file, 'utf8')).toContain('env_key = "SERVICE_API_KEY"');
    expect(readFileSync(file, 'utf8')).not.toContain(key);
    expect(getMode(file)).toBe(0o600);
    expect(code).toBe(0);
  });

  it('extends a file behind a link, keeps its mode and leaves a private backup', async () => {
    mkdirSync(inHome('.claude'));
    mkdirSync(inHome('dotfiles'));
    const original = '{\n  // mine\n  "theme": "dark"\n}\n';
    writeFileSync(inHome('dotfiles/claude.json'), original, { mode: 0o640 });
    symlinkSync(inHome('dotfiles/claude.json'), inHome('.claude/settings.json'));
    await tollgate('connect claude-code --write --yes');
    expect(lstatSync(inHome('.claude/settings.json')).isSymbolicLink()).toBe(true);
    const text = readFileSync(inHome('.claude/settings.json'), 'utf8');
    expect(text).toContain('// mine\n  "theme": "dark",');
    expect(text).toContain('"apiKeyHelper": "printenv SERVICE_API_KEY"');
    expect(getMode(inHome('dotfiles/claude.json'))).toBe(0o640);
    const [backup = ''] = readdirSync(inHome('dotfiles')).filter((name) => name.includes('backup'));
    expect(readFileSync(inHome('dotfiles', backup), 'utf8')).toBe(original);
    expect(getMode(inHome('dotfiles', backup))).toBe(0o600);
    expect(readdirSync(inHome('dotfiles'))).toHaveLength(2);
  });

  it.each([
    ['codex', 'CODEX_HOME', 'config.toml'],
    ['claude-code', 'CLAUDE_CONFIG_DIR', 'settings.json'],
    ['opencode', 'XDG_CONFIG_HOME', 'opencode/opencode.json'],
  ])('writes the file of %s where %s says', async (id, variable, name) => {
    const elsewhere = mkdtempSync(path.join(folder, 'elsewhere-'));
    const env = { PUBLIC_API_URL: api.baseUrl, HOME: home, [variable]: elsewhere };
    const moved = createTollgate(env);
    const { stdout: shown } = await moved(`connect ${id}`);
    expect(shown).toContain(path.join(elsewhere, name));
    const { stdout } = await moved(`connect ${id} --write --yes`);
    expect(stdout).toContain(`Wrote ${path.join(elsewhere, name)}`);
    expect(readFileSync(path.join(elsewhere, name), 'utf8')).toContain(api.baseUrl.replace('/v1', ''));
    expect(readdirSync(home)).toEqual([]);
  });

  it('ignores a relative XDG_CONFIG_HOME, as its specification says', async () => {
    const env = { PUBLIC_API_URL: api.baseUrl, HOME: home, XDG_CONFIG_HOME: 'settings' };
    const { stdout } = await createTollgate(env)('connect opencode --write --yes');
    expect(stdout).toContain(inHome('.config/opencode/opencode.json'));
  });

  it('extends the file of OpenCode whose settings win', async () => {
    mkdirSync(inHome('.config/opencode'), { recursive: true });
    writeFileSync(inHome('.config/opencode/opencode.jsonc'), '{\n  // mine\n  "model": "anthropic/x"\n}\n');
    await tollgate('connect opencode --model tollgate-demo --write --yes');
    const text = readFileSync(inHome('.config/opencode/opencode.jsonc'), 'utf8');
    expect(text).toContain('// mine\n  "model": "tollgate/tollgate-demo"');
    expect(readdirSync(inHome('.config/opencode'))).not.toContain('opencode.json');
  });

  it('changes nothing the second time', async () => {
    await tollgate('connect aider --write --yes');
    const { stdout, stderr } = await tollgate('connect aider --write');
    expect(stdout).toContain('already has this configuration');
    expect(stderr).toBe('');
    expect(readdirSync(home)).toEqual(['.aider.conf.yml']);
  });

  it.each([
    ['connect codex --write', 1, 'Add --yes to confirm'],
    ['connect curl --write --yes', 1, 'curl has no configuration file'],
    ['connect', 2, 'Name a client'],
    ['connect vim', 2, 'Unknown client vim. Known: claude-code, codex'],
    ['connect codex --create-key', 2, '--create-key needs --account'],
    ['connect codex --account you@example.com', 2, 'need --create-key'],
  ])('%s ends with %i: %s', async (line, expected, message) => {
    const { code, stderr } = await tollgate(line);
    expect(stderr).toContain(message);
    expect(code).toBe(expected);
    expect(readdirSync(home)).toEqual([]);
  });

  it('keeps a backup of each change, however fast they follow each other', async () => {
    for (const model of ['a', 'b', 'c'])
      expect((await tollgate(`connect codex --write --yes --no-test --model ${model}`)).code).toBe(0);
    expect(readdirSync(inHome('.codex'))).toHaveLength(3);
  });

  it('creates no key for a file that it cannot change, and shows one whose file it does not write', async () => {
    const listKeys = async () => (await database.db.sql`SELECT 1 FROM api_keys`).length;
    const before = await listKeys();
    const line = 'connect claude-code --create-key --account you@example.com --no-test --write';
    mkdirSync(inHome('.claude'));
    writeFileSync(inHome('.claude/settings.json'), '{"env": "none"}');
    expect((await tollgate(`${line} --yes`)).stderr).toContain('env has another type there');
    expect(await listKeys()).toBe(before);
    writeFileSync(inHome('.claude/settings.json'), '{}');
    const { code, stderr } = await tollgate(line);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Add --yes to confirm\. The new key, which is shown only once, is sk-\S+\n$/);
    expect(await listKeys()).toBe(before + 1);
  });

  it('does not change a file that it cannot read', async () => {
    mkdirSync(inHome('.codex'));
    writeFileSync(inHome('.codex/config.toml'), 'model = \n');
    const { code, stderr } = await tollgate('connect codex --write --yes');
    expect(stderr).toContain('~/.codex/config.toml was not changed');
    expect(code).toBe(1);
    expect(readFileSync(inHome('.codex/config.toml'), 'utf8')).toBe('model = \n');
  });

  it.each([
    ['a wrong key', { SERVICE_API_KEY: 'sk-wrong' }, '', 'failed with 401', 'Create a key with --create-key'],
    ['an unknown model', {}, ' --model none', 'failed with 404', 'Choose a model with --model'],
  ])('says what to do about %s', async (_, env, more, message, fix) => {
    const variables = {
      DATABASE_URL: database.url,
      PUBLIC_API_URL: api.baseUrl,
      HOME: home,
      SERVICE_API_KEY: key,
    };
    const { code, stdout } = await createTollgate({ ...variables, ...env })(`connect anthropic${more}`);
    expect(stdout).toContain(message);
    expect(stdout).toContain(fix);
    expect(code).toBe(1);
  });

  it('says what to do if the api does not run', async () => {
    const env = {
      DATABASE_URL: database.url,
      PUBLIC_API_URL: `http://127.0.0.1:${closedPort}/v1`,
      HOME: home,
    };
    const { code, stdout } = await createTollgate({ ...env, SERVICE_API_KEY: key })('connect codex');
    expect(stdout).toMatch(/The first request failed: .*ECONNREFUSED/);
    expect(stdout).toContain('Start Tollgate, or set PUBLIC_API_URL');
    expect(code).toBe(1);
  });
});
