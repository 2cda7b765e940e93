import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalogue } from '../catalogue/catalogue.ts';
import { listenForChanges, type Change } from '../catalogue/changes.ts';
import { addProvider } from './providers.ts';

describe('providers', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const plain = (id: string) => ({
    id,
    name: id,
    dialect: 'openai-chat' as const,
    baseUrl: 'https://llm.example.com/v1',
    credentialSealed: null,
  });

  it('store an operator’s settings, and null for defaults', async () => {
    const tuned = {
      preset: 'groq',
      settings: { region: 'eu-west-1' },
      connectTimeoutMs: 1_000,
      firstByteTimeoutMs: 20_000,
      idleTimeoutMs: 30_000,
      totalTimeoutMs: 60_000,
      maxConcurrency: 8,
    };
    await addProvider(database.db, { ...plain('tuned'), ...tuned });
    await addProvider(database.db, plain('plain'));
    const { providers } = await loadCatalogue(database.db);
    expect(providers.find(({ id }) => id === 'tuned')).toMatchObject(tuned);
    expect(providers.find(({ id }) => id === 'plain')).toMatchObject({
      preset: null,
      settings: {},
      connectTimeoutMs: null,
      totalTimeoutMs: null,
      maxConcurrency: null,
    });
  });

  it.each([
    'connect_timeout_ms = 0',
    'first_byte_timeout_ms = 3600001',
    'idle_timeout_ms = -1',
    'total_timeout_ms = 86400001',
    'max_concurrency = 0',
    `preset = 'No Preset'`,
    `settings = '[]'`,
  ])('refuse %s', async (change) => {
    await expect(database.db.sql.unsafe(`UPDATE providers SET ${change}`)).rejects.toThrow(
      'violates check constraint',
    );
  });

  it('notify every replica when a limit changes', async () => {
    const received = Promise.withResolvers<Change>();
    const stop = await listenForChanges(database.db, {
      onChange: (change) => received.resolve(change),
      onConnected: () => undefined,
    });
    try {
      await database.db.sql`UPDATE providers SET max_concurrency = 2 WHERE id = 'plain'`;
      expect(await received.promise).toEqual({ kind: 'catalogue' });
    } finally {
      await stop();
    }
  });

  it('keep no secret in the audit log', async () => {
    await addProvider(database.db, { ...plain('audited'), credentialSealed: Buffer.from('sealed') });
    const [entry] = await database.db.sql<{ detail: Record<string, unknown> }[]>`
      SELECT detail FROM audit_log WHERE subject = 'audited'`;
    expect(entry?.detail).toEqual({
      name: 'audited',
      dialect: 'openai-chat',
      baseUrl: 'https://llm.example.com/v1',
    });
  });
});
