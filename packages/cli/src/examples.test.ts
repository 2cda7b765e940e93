import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createAccountFixture } from '@tollgate/testing/factories';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createProgram } from './program.ts';
import { listExamples, listLeaves, parseLine } from './testing/examples.ts';
import { createTollgate } from './testing/run-tollgate.ts';

const NEED_NO_ROUTE = ['provider add', 'provider remove', 'model add', 'model remove', 'route add'];
/** Commands that need a provider on the internet, or the request of an example: they run, and report that. */
const NEED_MORE = ['provider test', 'request show'];

/** Input files in examples. */
const FILES: Record<string, string> = {
  'key.txt': 'sk-provider',
  'proxy.txt': 'http://user:secret@127.0.0.1:3128',
  'password.txt': 'correct horse battery staple',
  'service-account.json': JSON.stringify({
    type: 'service_account',
    client_email: 'tollgate@example.com',
    private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }),
  }),
};

const idSchema = z.object({ id: z.string() });
const ENCRYPTION_KEY = randomBytes(32).toString('base64');

/** By kind: `key`, `route`, `pattern`. */
type Ids = Record<string, string | undefined>;

interface Template {
  url: string;
  ids: Ids;
}

const resources = new AsyncDisposableStack();
const templates = new Map<string, Template>();
afterAll(() => resources.disposeAsync());

const leaves = listLeaves(createProgram());

it('every command has an example', async () => {
  const tollgate = createTollgate({});
  const without: string[] = [];
  for (const { path } of leaves) if ((await listExamples(tollgate, path)).length === 0) without.push(path);
  expect(without).toEqual([]);
});

describe('the examples in the help', () => {
  it.each(leaves.map(({ path }) => path))(
    'of `tollgate %s` run as printed',
    { timeout: 60_000 },
    async (path) => {
      for (const line of await listExamples(createTollgate({}), path)) {
        const { url, ids } = await getTemplate(path);
        await using database = await createTestDatabase(url);
        const tollgate = createTollgate({ DATABASE_URL: database.url, ENCRYPTION_KEY });
        const { argv, file } = parseLine(line);
        const typed = argv.map((word) =>
          // As many requests as in the example take half a minute.
          word === '100000'
            ? '1000'
            : word.replace(/^(key|route|pattern)_\w+$/, (_, kind: string) => ids[kind] ?? ''),
        );
        // Only the embedded database needs no confirmation.
        if (path === 'demo seed') typed.push('--yes');
        const [first = '', ...rest] = typed;
        const { code, stderr } = await tollgate.withInput(
          file === null ? '' : (FILES[file] ?? ''),
          first,
          ...rest,
        );
        // The error is compared too, so that a failure shows it; progress of long work is no error.
        const error = code === 0 ? '' : stderr;
        expect({ line, code, error }).toEqual(
          NEED_MORE.includes(path)
            ? { line, code: 1, error: expect.any(String) }
            : { line, code: 0, error: '' },
        );
      }
    },
  );
});

/** What an example needs. Most commands need the same. */
interface Needs {
  hasAccount: boolean;
  isVerified: boolean;
  has2fa: boolean;
  /** Commands that add the rest. */
  lines: readonly string[];
}

/** What most examples use, without what the example itself makes. */
function listNeeds(path: string): Needs {
  const needs = {
    hasAccount: path !== 'account create',
    isVerified: path !== 'user verify-email',
    has2fa: path === 'user reset-2fa',
  };
  const lines: string[] = [];
  const make = (line: string) => {
    if (!line.startsWith(path)) lines.push(line);
  };
  if (!needs.hasAccount) return { ...needs, lines };
  if (path === 'account credit') lines.push(`${path} --email you@example.com --amount 9 --reason gift`);
  make('plan add --name trial');
  for (const model of ['gpt-5-mini', 'claude-sonnet-5', 'tollgate-demo'])
    make(`model add --id ${model} --input-price 0.25 --output-price 2`);
  if (path.startsWith('pattern')) {
    for (const preset of ['openai', 'anthropic']) make(`provider add --preset ${preset} --api-key k`);
    make('pattern add --provider openai --pattern gpt-*');
    return { ...needs, lines };
  }
  for (const name of ['openai', 'openrouter', 'azure'])
    make(`provider add --name ${name} --dialect openai-chat --base-url http://127.0.0.1:9/v1`);
  if (path.startsWith('provider credential')) {
    lines.push('provider update openai --api-key k');
    make('provider credential add openai --label second --api-key k');
  }
  if (path === 'model fallbacks') {
    make('model add --id claude-haiku-4-5 --input-price 1 --output-price 5');
    lines.push('model fallbacks gpt-5-mini --add claude-haiku-4-5');
  }
  if (needs.isVerified) make('key create --account you@example.com --name laptop');
  if (!NEED_NO_ROUTE.includes(path)) make('route add --model gpt-5-mini --provider openai');
  return { ...needs, lines };
}

/** @returns an id of each kind that the examples name */
async function add(
  { hasAccount, isVerified, has2fa, lines }: Needs,
  { url, db }: TestDatabase,
): Promise<Ids> {
  if (hasAccount) {
    const account = { email: 'you@example.com', verified: isVerified, isOperator: true };
    const { user } = await createAccountFixture(db, account);
    if (has2fa)
      await db.sql`INSERT INTO totp_secrets (user_id, secret_sealed, confirmed_at) VALUES (${user.id}, 'x', now())`;
  }
  const tollgate = createTollgate({ DATABASE_URL: url, ENCRYPTION_KEY });
  const ids: Ids = {};
  for (const line of lines) {
    const { id } = idSchema.partial().parse(await tollgate.json(line));
    const [, kind] = /^(key|route|pattern) (?:create|add) /.exec(line) ?? [];
    if (kind !== undefined) ids[kind] = id;
  }
  return ids;
}

/** The database that each example of a path gets a copy of. Paths with the same needs share it. */
async function getTemplate(path: string): Promise<Template> {
  const needs = listNeeds(path);
  const name = JSON.stringify(needs);
  const known = templates.get(name);
  if (known !== undefined) return known;
  const database = resources.use(await createTestDatabase());
  const ids = await add(needs, database);
  // A database with connections cannot be copied.
  await database.db.close();
  const template = { url: database.url, ids };
  templates.set(name, template);
  return template;
}
