import { generateKeyPairSync } from 'node:crypto';
import { createAccountFixture } from '@tollgate/testing/factories';
import { createTestDatabase } from '@tollgate/testing/database';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createProgram } from './program.ts';
import { listExamples, listLeaves, parseLine } from './testing/examples.ts';
import { createTollgate, type Tollgate } from './testing/run-tollgate.ts';

const NEED_NO_ROUTE = ['provider add', 'provider remove', 'model add', 'model remove', 'route add'];
/** Commands that need a provider on the internet: they run, and report that. */
const NEED_MORE = ['provider test'];

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
        await using database = await createTestDatabase();
        const tollgate = createTollgate({ DATABASE_URL: database.url });
        const ids = await prepare(tollgate, database.db, path);
        const { argv, file } = parseLine(line);
        const typed = argv.map((word) =>
          // As many requests as in the example take half a minute.
          word === '100000'
            ? '1000'
            : word.replace(
                /^(key|route|pattern)_\w+$/,
                (_, kind: 'key' | 'route' | 'pattern') => ids[kind] ?? '',
              ),
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

/** Adds what most examples use, without what the example itself makes. */
async function prepare(
  tollgate: Tollgate,
  db: Parameters<typeof createAccountFixture>[0],
  path: string,
): Promise<Partial<Record<'key' | 'route' | 'pattern', string | undefined>>> {
  if (path === 'account create') return {};
  const isVerified = path !== 'user verify-email';
  const { user } = await createAccountFixture(db, {
    email: 'you@example.com',
    verified: isVerified,
    isOperator: true,
  });
  if (path === 'user reset-2fa')
    await db.sql`INSERT INTO totp_secrets (user_id, secret_sealed, confirmed_at) VALUES (${user.id}, 'x', now())`;
  if (path === 'account credit')
    await tollgate.json(`${path} --email you@example.com --amount 9 --reason gift`);
  const make = async (line: string) =>
    line.startsWith(path) ? {} : idSchema.partial().parse(await tollgate.json(line));
  await make('plan add --name trial');
  for (const model of ['gpt-5-mini', 'claude-sonnet-5', 'tollgate-demo'])
    await make(`model add --id ${model} --input-price 0.25 --output-price 2`);
  if (path.startsWith('pattern')) {
    for (const preset of ['openai', 'anthropic']) await make(`provider add --preset ${preset} --api-key k`);
    return { pattern: (await make('pattern add --provider openai --pattern gpt-*')).id };
  }
  for (const name of ['openai', 'openrouter', 'azure'])
    await make(`provider add --name ${name} --dialect openai-chat --base-url http://127.0.0.1:9/v1`);
  if (path.startsWith('provider credential')) {
    await tollgate.json('provider update openai --api-key k');
    await make('provider credential add openai --label second --api-key k');
  }
  if (path === 'model fallbacks') {
    await make('model add --id claude-haiku-4-5 --input-price 1 --output-price 5');
    await tollgate.json('model fallbacks gpt-5-mini --add claude-haiku-4-5');
  }
  const key = isVerified ? await make('key create --account you@example.com --name laptop') : {};
  if (NEED_NO_ROUTE.includes(path)) return { key: key.id };
  const route = await make('route add --model gpt-5-mini --provider openai');
  return { key: key.id, route: route.id };
}
