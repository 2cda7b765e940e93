import type { ModelFactsField } from '@tollgate/core/models/model-facts';
import type { PriceField } from '@tollgate/core/money/price-fields';
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTollgate, type Tollgate } from '../../testing/run-tollgate.ts';

interface Typed {
  options: string;
  /** The member of the JSON, and its value. */
  member: string;
  value: unknown;
}

/** What is typed for each fact, and what the JSON shows. */
const FACTS: Record<ModelFactsField, Typed> = {
  title: { options: '--title Full', member: 'title', value: 'Full' },
  contextTokens: { options: '--context 200000', member: 'contextTokens', value: 200_000 },
  maxOutputTokens: { options: '--max-output 64000', member: 'maxOutputTokens', value: 64_000 },
  capabilities: { options: '--capabilities tools', member: 'capabilities', value: ['tools'] },
  retiresAt: { options: '--retires 2099-01-31', member: 'retiresAt', value: '2099-01-31T00:00:00.000Z' },
};

const PRICES: Record<PriceField, Typed> = {
  inputNanoUsdPerMtok: { options: '--input-price 1', member: 'inputUsdPerMtok', value: '1.00' },
  outputNanoUsdPerMtok: { options: '--output-price 2', member: 'outputUsdPerMtok', value: '2.00' },
  cacheReadNanoUsdPerMtok: { options: '--cache-read-price 3', member: 'cacheReadUsdPerMtok', value: '3.00' },
  cacheWriteNanoUsdPerMtok: {
    options: '--cache-write-price 4',
    member: 'cacheWriteUsdPerMtok',
    value: '4.00',
  },
  cacheWrite1hNanoUsdPerMtok: {
    options: '--cache-write-1h-price 5',
    member: 'cacheWrite1hUsdPerMtok',
    value: '5.00',
  },
};

describe('tollgate model and route', () => {
  let database: TestDatabase;
  let tollgate: Tollgate;
  beforeAll(async () => {
    database = await createTestDatabase();
    tollgate = createTollgate({ DATABASE_URL: database.url });
    await tollgate.json('provider add --name p --dialect openai-chat --base-url http://127.0.0.1:9/v1');
  });
  afterAll(() => database[Symbol.asyncDispose]());

  const addModel = (id: string, ...options: string[]) =>
    tollgate.json('model add --id', id, '--output-price', '15', ...options);

  it('adds a model with exact prices', async () => {
    const added = await addModel(
      'exact',
      '--input-price',
      '0.000000001',
      '--cache-read-price',
      '0.3',
      '--context',
      '200000',
    );
    expect(added).toEqual({
      id: 'exact',
      title: null,
      contextTokens: 200_000,
      maxOutputTokens: null,
      capabilities: [],
      retiresAt: null,
      price: {
        inputUsdPerMtok: '0.000000001',
        outputUsdPerMtok: '15.00',
        cacheReadUsdPerMtok: '0.30',
        cacheWriteUsdPerMtok: null,
        cacheWrite1hUsdPerMtok: null,
        longInput: null,
        rates: {},
        effectiveFrom: expect.any(String),
      },
      priceVersions: 1,
      routes: 0,
      fallbacks: [],
      createdAt: expect.any(String),
      created: true,
      priceAdded: true,
    });
  });

  it('adds a model with all facts and all token prices', async () => {
    const typed = [...Object.values(FACTS), ...Object.values(PRICES)].flatMap(({ options }) =>
      options.split(' '),
    );
    const shown = (of: Record<string, Typed>) =>
      Object.fromEntries(Object.values(of).map(({ member, value }) => [member, value]));
    expect(await tollgate.json('model add --id full', ...typed)).toMatchObject({
      ...shown(FACTS),
      price: shown(PRICES),
    });
  });

  it('accepts a separate 1-hour cache-write price and names its flag in errors', async () => {
    const added = await addModel('hourly', '--input-price', '3', '--cache-write-1h-price', '6');
    expect(added).toMatchObject({ price: { cacheWriteUsdPerMtok: null, cacheWrite1hUsdPerMtok: '6.00' } });
    const refused = await tollgate(
      'model add --id m --input-price 1 --output-price 1 --cache-write-1h-price x',
    );
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--cache-write-1h-price: must be'),
    });
    expect(await tollgate('model remove hourly')).toMatchObject({ code: 0 });
  });

  it('adds rates to a model and names the flag in errors', async () => {
    const typed = ['--input-price', '3', '--rate', 'service_tier:flex=0.5x', '--rate', 'speed:fast=30/150/3'];
    expect(await addModel('rated', ...typed)).toMatchObject({
      price: { rates: { 'service_tier:flex': '0.5x', 'speed:fast': '30.00/150.00/3.00' } },
    });
    const change = 'model add --id rated --rate tool_calls:web_search=10 --rate service_tier:flex=0.6x';
    expect(await tollgate.json(change)).toMatchObject({
      priceVersions: 2,
      price: {
        inputUsdPerMtok: '3.00',
        rates: {
          'service_tier:flex': '0.6x',
          'speed:fast': '30.00/150.00/3.00',
          'tool_calls:web_search': '10.00',
        },
      },
    });
    expect(await tollgate.json(change)).toMatchObject({ priceAdded: false });
    const refused = await tollgate('model add --id rated --rate tool_calls:telepathy=10');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--rate') });
    expect(await tollgate('model remove rated')).toMatchObject({ code: 0 });
  });

  it('keeps the old price when a model gets a new one', async () => {
    await addModel('twice', '--input-price', '3', '--max-output', '8192');
    expect(await addModel('twice', '--input-price', '3')).toMatchObject({
      priceVersions: 1,
      priceAdded: false,
    });
    expect(await addModel('twice', '--input-price', '2.5')).toMatchObject({
      created: false,
      priceAdded: true,
      priceVersions: 2,
      maxOutputTokens: 8192,
      price: { inputUsdPerMtok: '2.50' },
    });
    const rows = await database.db.sql`
      SELECT input_nano_usd_per_mtok AS price FROM model_prices WHERE model_id = 'twice' ORDER BY effective_from`;
    expect(rows.map((row) => row['price'])).toEqual([3_000_000_000n, 2_500_000_000n]);
  });

  it('rejects a price that is not a plain decimal', async () => {
    expect(await tollgate('model add --id x --input-price 1,5 --output-price 1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--input-price: must be an amount in USD per million tokens'),
    });
  });

  it('adds a route only once and lists routes in order', async () => {
    await addModel('routed', '--input-price', '1');
    const route = 'route add --model routed --provider p';
    const later = await tollgate.json(
      route,
      '--upstream-model',
      'second',
      '--priority',
      '1',
      '--weight',
      '3',
    );
    expect(later).toMatchObject({ upstreamModel: 'second', priority: 1, weight: 3 });
    const first = await tollgate.json(route);
    expect(await tollgate(route)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already has a route to p'),
    });
    expect(await tollgate.json('route list')).toEqual({ routes: [first, later] });
    const { id } = z.object({ id: z.string() }).parse(first);
    expect(first).toMatchObject({ servedNames: [] });
    const named = await tollgate.json('route served-names', id, '--names', 'qwen2.5:7b, other,other');
    expect(named).toMatchObject({ id, servedNames: ['qwen2.5:7b', 'other'] });
    expect((await tollgate('route list')).stdout).toContain('qwen2.5:7b, other');
    expect(await tollgate.json('route served-names', id, '--names', '')).toMatchObject({ servedNames: [] });
    expect(await tollgate('route served-names', id, '--names', 'a b')).toMatchObject({ code: 2 });
    expect(await tollgate('route served-names nope --names a')).toMatchObject({ code: 1 });
    await addModel('served', '--input-price', '1');
    expect(await tollgate.json('route add --model served --provider p --served-names', 'a,b')).toMatchObject({
      servedNames: ['a', 'b'],
    });
    await tollgate.json('model remove served');
    expect(await tollgate.json('route remove', id)).toEqual({ id });
    expect(await tollgate('route remove', id)).toMatchObject({ code: 1 });
  });

  it('reports a missing model or provider of a route', async () => {
    const missing = await tollgate('route add --model nope --provider p --json');
    expect(JSON.parse(missing.stderr)).toMatchObject({ error: { code: 'unknown_model' } });
  });

  it('removes a model with its routes', async () => {
    await addModel('gone', '--input-price', '1');
    await tollgate.json('route add --model gone --provider p');
    expect(await tollgate.json('model remove gone')).toEqual({ id: 'gone', removedRoutes: 1 });
    expect(await tollgate('model remove gone')).toMatchObject({ code: 1 });
    const { stdout } = await tollgate('model list');
    expect(stdout).toMatch(
      /^exact +\$0\.000000001 +\$15\.00 +\$0\.30 +as input +as write +200,000 +- +0 +-$/m,
    );
  });
});
