import type { ModelFactsTerms } from '@tollgate/core/models/model-facts';
import { DEFAULT_ROUTING, type RoutingPolicy } from '@tollgate/core/models/routing-policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const HOUR_MS = 3_600_000;
const TERMS = {
  inputUsd: '3.00',
  outputUsd: '15.00',
  cacheReadUsd: '0.30',
  cacheWriteUsd: null,
  cacheWrite1hUsd: null,
  longInput: null,
  rates: [],
};
const FACTS: ModelFactsTerms = {
  title: '',
  contextTokens: 8000,
  maxOutputTokens: null,
  capabilities: ['tools'],
  retiresAt: null,
};

const ROUTING: RoutingPolicy = {
  strategy: 'lowest-latency',
  firstTokenTimeoutMs: 8_000,
  hedgeAfterMs: 800,
  retryBudgetMs: 0,
  contentPolicyFailover: true,
  continueStreams: true,
  healthCheckIntervalS: 60,
};

describe('operator.models', () => {
  let site: TestConsole;
  let operator: SignedIn;
  beforeAll(async () => {
    site = await createTestConsole();
    operator = await signUpOperator(site);
    await site.deps.db.sql`
      INSERT INTO providers (id, name, dialect, base_url, preset)
      VALUES ('prov_1', 'one', 'openai-chat', 'https://one.example/v1', 'openai'),
             ('prov_2', 'two', 'openai-chat', 'https://two.example/v1', NULL)`;
  });
  afterAll(() => site[Symbol.asyncDispose]());
  const client = () => operator.visitor.client.operator;
  const add = (id: string) => client().models.add.mutate({ id, facts: FACTS, terms: TERMS });
  const inHours = (hours: number) => new Date(site.deps.clock.nowMs() + hours * HOUR_MS).toISOString();

  it('is restricted to operators', async () => {
    const owner = (await signUpVerified(site)).visitor.client.operator;
    const refusals = await Promise.all([
      getRefusal(owner.models.list.query()),
      getRefusal(owner.models.remove.mutate({ modelId: 'x' })),
      getRefusal(owner.routes.arrange.mutate({ modelId: 'x', places: [] })),
      getRefusal(owner.models.setRouting.mutate({ modelId: 'x', routing: ROUTING })),
      getRefusal(
        owner.routes.setTerms.mutate({
          modelId: 'x',
          routeId: 'r',
          terms: { contextTokens: null, costMultiplier: '0' },
        }),
      ),
      getRefusal(owner.routes.setServedNames.mutate({ modelId: 'x', routeId: 'r', servedNames: ['cheap'] })),
    ]);
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['FORBIDDEN']));
  });

  it('changes how a model is routed, and records what changed', async () => {
    expect((await add('routing')).routing).toEqual(DEFAULT_ROUTING);
    const { setRouting, get } = client().models;
    await setRouting.mutate({ modelId: 'routing', routing: { ...DEFAULT_ROUTING, retryBudgetMs: 0 } });
    await setRouting.mutate({ modelId: 'routing', routing: ROUTING });
    // Nothing changes, so nothing is recorded.
    await setRouting.mutate({ modelId: 'routing', routing: ROUTING });
    expect((await get.query({ modelId: 'routing' })).routing).toEqual(ROUTING);
    const audited = await site.deps.db.sql<{ detail: object; actor: string }[]>`
      SELECT detail, actor_user_id AS actor FROM audit_log
      WHERE subject = 'routing' AND action = 'model.change' ORDER BY id`;
    const { retryBudgetMs, ...others } = ROUTING;
    expect(audited.map(({ detail }) => detail)).toEqual([
      { retryBudgetMs, before: { retryBudgetMs: DEFAULT_ROUTING.retryBudgetMs } },
      { ...others, before: expect.objectContaining({ strategy: DEFAULT_ROUTING.strategy }) },
    ]);
    expect(audited.every(({ actor }) => actor !== null)).toBe(true);
    const refused = [
      { modelId: 'routing', routing: { ...ROUTING, firstTokenTimeoutMs: 0 } },
      { modelId: 'missing', routing: ROUTING },
    ].map(async (input) => (await getRefusal(setRouting.mutate(input))).code);
    expect(await Promise.all(refused)).toEqual(['BAD_REQUEST', 'NOT_FOUND']);
  });

  it('changes the context window and the cost of a route', async () => {
    await add('terms');
    const route = { modelId: 'terms', providerName: 'one', upstreamModel: null };
    const { routeList } = await client().routes.add.mutate(route);
    expect(routeList).toMatchObject([{ contextTokens: null, costMultiplier: '1' }]);
    const input = { modelId: 'terms', routeId: routeList[0]?.id ?? '' };
    const terms = { contextTokens: 8_192, costMultiplier: '0.8' };
    const { setTerms } = client().routes;
    expect((await setTerms.mutate({ ...input, terms })).routeList).toMatchObject([terms]);
    const refused = [
      { ...input, terms: { ...terms, costMultiplier: '-1' } },
      { ...input, modelId: 'routing', terms },
    ].map(async (each) => (await getRefusal(setTerms.mutate(each))).code);
    expect(await Promise.all(refused)).toEqual(['BAD_REQUEST', 'NOT_FOUND']);
  });

  it("adds a model of one's own, once", async () => {
    expect(await add('own')).toMatchObject({
      price: { inputUsd: '3.00', outputUsd: '15.00' },
      prices: [{ state: 'current', terms: TERMS }],
      routeList: [],
    });
    expect(await getRefusal(add('own'))).toMatchObject({ code: 'BAD_REQUEST', field: 'id' });
  });

  it('shows the published rates that a model lacks, and adds only those', async () => {
    const { models } = client();
    await models.addFromCatalogue.mutate({ id: 'gpt-5', preset: 'openai', providerId: 'prov_1' });
    expect((await models.get.query({ modelId: 'gpt-5' })).missingRates).toEqual([]);
    await site.deps.db.sql`UPDATE model_prices SET rates = NULL WHERE model_id = 'gpt-5'`;
    const lacking = await models.get.query({ modelId: 'gpt-5' });
    expect(lacking.missingRates).toContainEqual({ rate: 'tool_calls:web_search', value: '10.00' });
    const { missingRates, prices } = await models.addPublishedRates.mutate({ modelId: 'gpt-5' });
    expect(missingRates).toEqual([]);
    expect(prices.map(({ terms }) => terms.rates)).toEqual([lacking.missingRates, []]);
    expect(prices[0]?.terms.inputUsd).toBe(lacking.prices[0]?.terms.inputUsd);
    await models.remove.mutate({ modelId: 'gpt-5' });
  });

  it('adds a model of the catalogue with its prices and a route, and then offers it no more', async () => {
    const { offers } = await client().models.offers.query();
    const offer = offers.find(({ preset }) => preset === 'openai');
    expect(offer?.providers).toEqual([{ id: 'prov_1', name: 'one' }]);
    const id = offer?.id ?? '';
    const added = await client().models.addFromCatalogue.mutate({
      id,
      preset: 'openai',
      providerId: 'prov_1',
    });
    expect(added.price?.inputUsd).toBe(offer?.inputUsd);
    expect(added.routeList.map(({ providerName }) => providerName)).toEqual(['one']);
    expect((await client().models.offers.query()).offers.some((left) => left.id === id)).toBe(false);
  });

  it('changes the details of a model, lists the changed fields in the audit log, and keeps unknown ones', async () => {
    await add('known');
    await site.deps.db.sql`UPDATE models SET capabilities = '{tools,telepathy}' WHERE id = 'known'`;
    const set = (facts: Partial<ModelFactsTerms>) =>
      client().models.setFacts.mutate({ modelId: 'known', facts: { ...FACTS, ...facts } });
    const change = {
      title: 'Known',
      maxOutputTokens: 4000,
      capabilities: ['vision' as const],
      retiresAt: '2027-01-31T00:00:00.000Z',
    };
    expect(await set(change)).toMatchObject({ ...change, contextTokens: 8000 });
    expect((await site.deps.db.sql`SELECT capabilities FROM models WHERE id = 'known'`)[0]).toEqual({
      capabilities: ['vision', 'telepathy'],
    });
    await set(change);
    const entries = await site.deps.db.sql`
      SELECT detail FROM audit_log WHERE subject = 'known' AND action = 'model.change'`;
    expect(entries.map(({ detail }) => detail)).toEqual([
      {
        ...change,
        capabilities: ['vision', 'telepathy'],
        before: expect.objectContaining({ retiresAt: null }),
      },
    ]);
    expect((await getRefusal(set({ maxOutputTokens: 8001 }))).zodIssues?.[0]?.path).toBe(
      'facts.maxOutputTokens',
    );
    const missing = client().models.setFacts.mutate({ modelId: 'missing', facts: FACTS });
    expect((await getRefusal(missing)).code).toBe('NOT_FOUND');
  });

  it('schedules a price: the old one applies until then, the new one afterwards', async () => {
    await add('scheduled');
    const at = inHours(2);
    const dearer = { ...TERMS, inputUsd: '4.00' };
    const set = await client().models.setPrice.mutate({
      modelId: 'scheduled',
      terms: dearer,
      effectiveFrom: at,
    });
    expect(set.prices.map(({ state, terms }) => [state, terms.inputUsd])).toEqual([
      ['scheduled', '4.00'],
      ['current', '3.00'],
    ]);
    expect([set.price?.inputUsd, set.nextPriceAt]).toEqual(['3.00', at]);
    site.advance(3 * HOUR_MS);
    const later = await client().models.get.query({ modelId: 'scheduled' });
    expect([later.price?.inputUsd, later.nextPriceAt]).toEqual(['4.00', null]);
    expect(later.prices.map(({ state }) => state)).toEqual(['current', 'past']);
  });

  it('cancels a scheduled price, and no other', async () => {
    await add('withdrawn');
    const terms = { ...TERMS, inputUsd: '5.00' };
    const set = await client().models.setPrice.mutate({
      modelId: 'withdrawn',
      terms,
      effectiveFrom: inHours(1),
    });
    const [scheduled, current] = set.prices;
    const cancel = (priceId: number) => client().models.cancelPrice.mutate({ modelId: 'withdrawn', priceId });
    expect((await getRefusal(cancel(current?.id ?? 0))).code).toBe('BAD_REQUEST');
    expect((await cancel(scheduled?.id ?? 0)).prices.map(({ state }) => state)).toEqual(['current']);
  });

  it('rejects a price in the past, an unchanged one, and a long-input price below the normal one', async () => {
    await add('odd');
    const set = (change: object) =>
      getRefusal(
        client().models.setPrice.mutate({ modelId: 'odd', terms: TERMS, effectiveFrom: null, ...change }),
      );
    expect((await set({ effectiveFrom: inHours(-1) })).field).toBe('effectiveFrom');
    expect((await set({})).message).toMatch(/already set for that time/);
    const longInput = { ...TERMS, longInput: undefined, inputUsd: '1', aboveInputTokens: 200_000 };
    expect((await set({ terms: { ...TERMS, longInput } })).zodIssues?.[0]?.path).toBe(
      'terms.longInput.inputUsd',
    );
  });

  it('orders all routes of a model in one call, and none if they changed in the meantime', async () => {
    await add('routed');
    await client().routes.add.mutate({ modelId: 'routed', providerName: 'one', upstreamModel: null });
    const { routeList } = await client().routes.add.mutate({
      modelId: 'routed',
      providerName: 'two',
      upstreamModel: 'their-name',
    });
    expect(routeList.map(({ priority }) => priority)).toEqual([0, 1]);
    const places = routeList.map(({ id }, index) => ({ id, priority: 1 - index, weight: index + 1 }));
    const arranged = await client().routes.arrange.mutate({ modelId: 'routed', places });
    expect(arranged.routeList.map(({ providerName, weight }) => [providerName, weight])).toEqual([
      ['two', 2],
      ['one', 1],
    ]);
    const stale = client().routes.arrange.mutate({ modelId: 'routed', places: places.slice(1) });
    expect((await getRefusal(stale)).code).toBe('BAD_REQUEST');
    const again = { modelId: 'routed', providerName: 'one', upstreamModel: null };
    expect((await getRefusal(client().routes.add.mutate(again))).field).toBe('providerName');
    const routeId = routeList[0]?.id ?? '';
    const { setServedNames } = client().routes;
    const named = { modelId: 'routed', routeId, servedNames: ['qwen2.5:7b', ' b ', 'b'] };
    const { routeList: renamed } = await setServedNames.mutate(named);
    expect(renamed.find(({ id }) => id === routeId)?.servedNames).toEqual(['qwen2.5:7b', 'b']);
    expect((await getRefusal(setServedNames.mutate({ ...named, servedNames: ['a b'] }))).code).toBe(
      'BAD_REQUEST',
    );
    expect((await getRefusal(setServedNames.mutate({ ...named, modelId: 'own' }))).code).toBe('NOT_FOUND');
    const left = await client().routes.remove.mutate({ modelId: 'routed', routeId });
    expect(left.routeList).toHaveLength(1);
  });

  it('removes a model with its routes, and records the actor', async () => {
    await add('gone');
    await client().models.remove.mutate({ modelId: 'gone' });
    expect((await getRefusal(client().models.get.query({ modelId: 'gone' }))).code).toBe('NOT_FOUND');
    const { user } = await operator.visitor.client.session.get.query();
    const entries = await site.deps.db.sql`
      SELECT action, actor_user_id AS actor FROM audit_log WHERE subject = 'gone' ORDER BY id`;
    expect([...entries]).toEqual([
      { action: 'model.add', actor: user?.id },
      { action: 'model.remove', actor: user?.id },
    ]);
  });
});
