import { listModels } from '@tollgate/db/queries/models/models';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { createTestDatabase } from '@tollgate/testing/database';
import { describe, expect, it } from 'vitest';
import { listBuiltInProviders } from './built-in-providers.ts';

const namesWith = (env: Parameters<typeof listBuiltInProviders>[0]) =>
  listBuiltInProviders(env, Date.now()).map(({ name }) => name);
const DATABASE_URL = 'postgres://localhost/tollgate';

describe('built-in providers', () => {
  it('include the demo provider on the embedded database, or if it is enabled', () => {
    expect(namesWith({})).toEqual(['demo']);
    expect(namesWith({ DEMO_PROVIDER: 'off' })).toEqual([]);
    expect(namesWith({ DATABASE_URL })).toEqual([]);
    expect(namesWith({ DATABASE_URL, DEMO_PROVIDER: 'on' })).toEqual(['demo']);
  });

  it('include providers whose key is set, with their well-known models, and do not store the key', async () => {
    await using database = await createTestDatabase();
    const env = { DATABASE_URL, OPENAI_API_KEY: 'sk-a-secret', ANTHROPIC_API_KEY: 'sk-a-secret' };
    expect(namesWith(env)).toEqual(['openai', 'anthropic']);
    for (const builtIn of listBuiltInProviders(env, Date.now())) await ensureBuiltIn(database.db, builtIn);
    const models = (await listModels(database.db, new Date())).map(({ id }) => id);
    expect(models).toEqual(expect.arrayContaining(['gpt-5.4', 'claude-sonnet-4-5']));
    const stored = await database.db.sql`SELECT * FROM providers`;
    expect(stored.map((row) => String(row['credential_env'])).toSorted()).toEqual([
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
    ]);
    const text = JSON.stringify([stored, listBuiltInProviders(env, Date.now())], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(text).not.toContain('secret');
  });
});
