import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

describe('rates missing from models', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url, ENCRYPTION_KEY: 'A'.repeat(43) + '=' });
    await tollgate.json('provider add --name openai --preset openai --api-key sk-test --with-models');
    await database.db
      .sql`UPDATE model_prices SET rates = NULL WHERE model_id IN ('gpt-5', 'gpt-5-mini', 'gpt-5-nano')`;
    // A custom price and a custom rate.
    await database.db.sql`UPDATE model_prices SET input_nano_usd_per_mtok = 1 WHERE model_id = 'gpt-5-nano'`;
    await tollgate.json('model add --id gpt-5-mini --rate service_tier:flex=0.7x');
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('are reported by doctor', async () => {
    const { stdout } = await tollgate('doctor');
    expect(stdout).toMatch(
      /warn +Model rates +missing published rates for gpt-5, gpt-5-mini: .*update-rates/,
    );
  });

  it('are shown before anything changes', async () => {
    expect(await tollgate.json('model update-rates --dry-run')).toMatchObject({
      changed: false,
      models: [{ id: 'gpt-5', rates: { 'tool_calls:web_search': '10.00' } }, { id: 'gpt-5-mini' }],
    });
    expect(await tollgate.json('model update-rates --dry-run')).toMatchObject({ changed: false });
  });

  it('are added without changing existing prices and rates', async () => {
    expect(await tollgate.json('model update-rates --id gpt-5')).toMatchObject({ models: [{ id: 'gpt-5' }] });
    expect(await tollgate.json('model update-rates')).toMatchObject({
      changed: true,
      models: [{ id: 'gpt-5-mini', rates: { 'tool_calls:web_search': '10.00' } }],
    });
    const listed = await tollgate.json('model list');
    expect(listed).toMatchObject({
      models: expect.arrayContaining([
        expect.objectContaining({
          id: 'gpt-5-mini',
          price: expect.objectContaining({
            rates: expect.objectContaining({ 'service_tier:flex': '0.7x', 'tool_calls:web_search': '10.00' }),
          }),
        }),
        expect.objectContaining({ id: 'gpt-5-nano', price: expect.objectContaining({ rates: {} }) }),
      ]),
    });
    expect(await tollgate.json('model update-rates')).toEqual({ changed: false, models: [] });
    expect((await tollgate('doctor')).stdout).toMatch(/ok +Model rates/);
  });
});

describe('model add for an existing model', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('keeps prices and rates that are not given', async () => {
    const first =
      'model add --id mine --input-price 3 --output-price 15 --cache-read-price 0.3 --cache-write-price 4 --rate speed:fast=2x';
    await tollgate.json(first);
    expect(await tollgate.json('model add --id mine --input-price 2 --output-price 10')).toMatchObject({
      price: {
        inputUsdPerMtok: '2.00',
        outputUsdPerMtok: '10.00',
        cacheReadUsdPerMtok: '0.30',
        cacheWriteUsdPerMtok: '4.00',
        rates: { 'speed:fast': '2x' },
      },
    });
    expect(await tollgate.json('model add --id mine --cache-read-price 0.2')).toMatchObject({
      price: { inputUsdPerMtok: '2.00', cacheReadUsdPerMtok: '0.20' },
    });
    expect(await tollgate.json('model add --id mine --title Mine')).toMatchObject({
      title: 'Mine',
      priceAdded: false,
    });
  });

  it('refuses to drop prices for long input or a custom price', async () => {
    await tollgate.json('model add --id gpt-5.4');
    const change = 'model add --id gpt-5.4 --input-price 2';
    expect(await tollgate(change)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has separate prices above 272,000 input tokens'),
    });
    expect(await tollgate.json(change, '--any-length')).toMatchObject({
      price: { inputUsdPerMtok: '2.00', cacheReadUsdPerMtok: '0.25', longInput: null },
    });
    expect(await tollgate('model add --id gpt-5.4')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has a custom price'),
    });
    expect(await tollgate.json('model add --id gpt-5.4 --preset openai')).toMatchObject({
      price: { inputUsdPerMtok: '2.50' },
    });
  });
});
