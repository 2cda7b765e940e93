import { NO_RATES } from '@tollgate/core/money/rates/rate-card';
import { createTestDatabase } from '@tollgate/testing/database';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { addRoute } from './routes.ts';
import { removeModel, putModel } from '../models/models.ts';
import { addRoutePattern, listRoutePatterns, removeRoutePattern } from './route-patterns.ts';
import { syncRoutePatterns, type PatternOffer } from './sync-route-patterns.ts';

const PRICES = {
  inputNanoUsdPerMtok: 5n,
  outputNanoUsdPerMtok: 7n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
  rates: NO_RATES,
};
const offer = (id: string, preset = 'maker', upstreamModel: string | null = null): PatternOffer => ({
  id,
  preset,
  upstreamModel,
  facts: { contextTokens: 1_000 },
  prices: PRICES,
});
const OFFERS = [offer('big-1'), offer('big-2'), offer('small-1'), offer('big-9', 'other')];

describe('route patterns', async () => {
  const database = await createTestDatabase();
  const { db } = database;
  const { sql } = db;
  afterAll(() => database[Symbol.asyncDispose]());
  beforeEach(async () => {
    for (const table of ['routes', 'route_patterns', 'models', 'model_prices', 'providers'])
      await sql.unsafe(`DELETE FROM ${table}`);
    await sql`INSERT INTO providers (id, name, dialect, base_url, preset) VALUES
      ('prov_1', 'one', 'openai-chat', 'https://one.example/v1', 'maker'),
      ('prov_2', 'two', 'openai-chat', 'https://two.example/v1', 'maker'),
      ('prov_3', 'three', 'openai-chat', 'https://three.example/v1', NULL),
      ('prov_4', 'four', 'openai-chat', 'https://four.example/v1', 'maker')`;
  });

  const add = (pattern: string, options: { provider?: string; strip?: string } = {}, offers = OFFERS) =>
    addRoutePattern(
      db,
      {
        providerName: options.provider ?? 'one',
        pattern,
        strip: options.strip ?? '',
        priority: 0,
        weight: 1,
      },
      { offers, actorUserId: null },
    );
  /** The id of a pattern that can be added. */
  const addOne = async (...args: Parameters<typeof add>): Promise<string> => {
    const added = await add(...args);
    if (!added.ok) throw new Error(added.reason);
    return added.pattern.id;
  };
  const listRouted = async () => {
    const rows = await sql<{ route: string }[]>`
      SELECT r.model_id || ' ' || p.name || ' ' || coalesce(r.upstream_model, '-') AS route
      FROM routes r JOIN providers p ON p.id = r.provider_id ORDER BY 1`;
    return rows.map(({ route }) => route);
  };

  it('add the matching models of the provider with their prices', async () => {
    const added = await add('big-*');
    expect(added).toMatchObject({ ok: true, synced: { added: ['big-1', 'big-2'] } });
    expect(await listRouted()).toEqual(['big-1 one -', 'big-2 one -']);
    const prices =
      await sql`SELECT model_id, output_nano_usd_per_mtok::int AS output FROM model_prices ORDER BY 1`;
    expect([...prices]).toEqual([
      { model_id: 'big-1', output: 7 },
      { model_id: 'big-2', output: 7 },
    ]);
    expect(await listRoutePatterns(db)).toMatchObject([
      { pattern: 'big-*', knownModels: ['big-1', 'big-2'] },
    ]);
  });

  it('remove the part that the provider does not know', async () => {
    await add('maker/*', { strip: 'maker/' }, [...OFFERS, offer('x', 'maker', 'x-v1')]);
    expect(await listRouted()).toEqual([
      'maker/big-1 one big-1',
      'maker/big-2 one big-2',
      'maker/small-1 one small-1',
      'maker/x one x-v1',
    ]);
  });

  it('leave a model to the longest pattern, and back', async () => {
    await add('b*');
    const longer = await addOne('big-2*', { provider: 'two' });
    expect(await listRouted()).toEqual(['big-1 one -', 'big-2 two -']);
    await add('bi*', { provider: 'four' });
    expect(await listRouted()).toEqual(['big-1 four -', 'big-2 two -']);
    await removeRoutePattern(db, longer, { offers: OFFERS, actorUserId: null });
    expect(await listRouted()).toEqual(['big-1 four -', 'big-2 four -']);
  });

  it('give a model a route to each provider of the same pattern', async () => {
    await add('big-*');
    await add('big-*', { provider: 'two' });
    expect(await listRouted()).toEqual(['big-1 one -', 'big-1 two -', 'big-2 one -', 'big-2 two -']);
    expect(await add('big-*')).toEqual({ ok: false, reason: 'pattern_exists' });
  });

  it('leave a model alone that an operator added', async () => {
    await putModel(db, {
      id: 'big-1',
      facts: {},
      prices: { ...PRICES, outputNanoUsdPerMtok: 1n },
      now: new Date(0),
    });
    const id = await addOne('big-*');
    expect(await listRouted()).toEqual(['big-2 one -']);
    await removeRoutePattern(db, id, { offers: OFFERS, actorUserId: null });
    expect((await sql`SELECT id FROM models`).map(({ id: model }) => model as string)).toEqual(['big-1']);
  });

  it('do not bring back a model that was removed, and add the models of a new catalogue', async () => {
    await add('big-*');
    await removeModel(db, 'big-1');
    const synced = await syncRoutePatterns(db, [...OFFERS, offer('big-3')]);
    expect(synced).toEqual({ added: ['big-3'], removed: [] });
    expect(await listRouted()).toEqual(['big-2 one -', 'big-3 one -']);
  });

  it('take their models with them, except models with another route', async () => {
    const id = await addOne('big-*');
    await addRoute(db, {
      modelId: 'big-1',
      providerName: 'three',
      upstreamModel: null,
      priority: 5,
      weight: 1,
    });
    const synced = await removeRoutePattern(db, id, { offers: OFFERS, actorUserId: null });
    expect(synced).toEqual({ added: [], removed: ['big-2'] });
    expect(await listRouted()).toEqual(['big-1 three -']);
    expect(await removeRoutePattern(db, id, { offers: OFFERS, actorUserId: null })).toBeNull();
  });

  it('need a provider with a preset', async () => {
    expect(await add('big-*', { provider: 'three' })).toEqual({ ok: false, reason: 'no_preset' });
    expect(await add('big-*', { provider: 'none' })).toEqual({ ok: false, reason: 'unknown_provider' });
  });

  it('are added once by replicas that start at the same time', async () => {
    await add('big-*', {}, []);
    const synced = await Promise.all(Array.from({ length: 6 }, () => syncRoutePatterns(db, OFFERS)));
    expect(synced.flatMap(({ added }) => added)).toEqual(['big-1', 'big-2']);
    expect(await listRouted()).toHaveLength(2);
  });
});
