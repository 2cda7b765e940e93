import { DEFAULT_ROUTING } from '@tollgate/core/models/routing-policy';
import { NO_USAGE } from '@tollgate/core/money/money';
import type { RateNeed, ServedTerms } from '@tollgate/core/money/rates/rate-need';
import { toRates } from '@tollgate/core/money/rates/rate-lines';
import { describe, expect, it } from 'vitest';
import { BASE_CONTRACTS } from '@tollgate/dialects/contract/base-contracts';
import type { Catalogue, Model, Price } from '../catalogue/catalogue.ts';
import type { Route } from '../catalogue/route.ts';
import { billUsage } from './bill-usage.ts';

const price = (id: number, inputNanoUsdPerMtok: bigint): Price => ({
  id,
  effectiveFromMs: 0,
  inputNanoUsdPerMtok,
  outputNanoUsdPerMtok: 10_000_000_000n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
  rates: toRates([
    { rate: 'service_tier:flex', value: '0.5x' },
    { rate: 'service_tier:priority', value: '2x' },
  ]),
});
const CONTRACT = BASE_CONTRACTS.messages;
const route = (upstreamModel: string, provider = 'ant'): Route => ({
  id: `route_${provider}_${upstreamModel}`,
  routeId: `route_${provider}_${upstreamModel}`,
  credential: null,
  byCredential: null,
  isOneOfSeveral: false,
  isOwn: false,
  provider: { kind: 'demo', name: provider },
  upstreamModel,
  servedNames: [],
  contextTokens: null,
  costPpm: 1_000_000,
  priority: 0,
  weight: 1,
  ends: [{ dialect: 'anthropic-messages', address: null, headers: [], contract: CONTRACT }],
  countTokens: null,
  inputTokens: null,
  embeddings: null,
});
const model = (id: string, own: Price, upstream = id): Model => ({
  id,
  title: id,
  createdAt: new Date(0),
  capabilities: [],
  retiresAt: null,
  contextTokens: null,
  maxOutputTokens: null,
  routing: DEFAULT_ROUTING,
  fallbacks: [],
  prices: [own],
  routes: [route(upstream)],
});
const OWN = price(1, 1_000_000_000n);
const catalogue: Catalogue = new Map([
  ['own', model('own', OWN)],
  ['other', model('other', price(2, 7_000_000_000n))],
]);
const USAGE = { ...NO_USAGE, inputTokens: 100, outputTokens: 10 };
const COST = 200_000n;
const FLEX: RateNeed[] = [{ kind: 'service_tier', tier: 'flex' }];
const served = (serviceTier: string | null): ServedTerms => ({
  model: null,
  serviceTier,
  speed: null,
  inferenceGeo: null,
});
const SOURCE = {
  price: OWN,
  askedPrice: OWN,
  route: route('own'),
  pricePpm: 1_000_000,
  needs: [],
  served: null,
  catalogue,
  startedAtMs: 1,
};

describe('the bill of a request', () => {
  it.each([
    ['plain', [], null, COST, null],
    ['the requested tier if the provider reports none', FLEX, null, COST / 2n, 'flex'],
    ['the standard tier if it was served instead', FLEX, served('default'), COST, null],
    ['another tier that was served', FLEX, served('priority'), COST * 2n, 'priority'],
    ['an unrequested tier', [], served('priority'), COST * 2n, 'priority'],
    ['the requested tier if the served one has no rate', FLEX, served('mystery'), COST / 2n, 'flex'],
  ])('is %s', (_, needs, what, cost, tier) => {
    const bill = billUsage(USAGE, { ...SOURCE, needs, served: what });
    expect(bill.costNanoUsd).toBe(cost);
    expect(bill.terms?.serviceTier ?? null).toBe(tier);
  });

  it('bills further models at their own prices, also by snapshot', () => {
    const iterations = [
      { model: 'other-20260101', usage: USAGE },
      { model: 'unknown', usage: USAGE },
      { model: 'own-20260101', usage: USAGE },
    ];
    const bill = billUsage({ ...USAGE, extras: { iterations } }, SOURCE);
    expect(bill.costNanoUsd).toBe(COST + 800_000n + COST + COST);
    expect(bill.usage.extras?.iterations?.map(({ priceId }) => priceId)).toEqual([2, undefined, 1]);
    expect(bill.missing).toEqual(['model unknown']);
  });

  it("resolves further models by the provider's names, not by the gateway's", () => {
    const cheap = price(3, 1n);
    const dear = price(4, 7_000_000_000n);
    const models = [
      { ...model('helper', cheap), routes: [route('tiny', 'oai')] },
      { ...model('elsewhere', cheap), routes: [route('helper', 'oai')] },
      model('real-helper', dear, 'helper'),
    ];
    const named = new Map(models.map((each) => [each.id, each]));
    const iterations = [{ model: 'helper', usage: USAGE }];
    const bill = billUsage({ ...USAGE, extras: { iterations } }, { ...SOURCE, catalogue: named });
    expect(bill.usage.extras?.iterations?.[0]?.priceId).toBe(4);
    expect(bill.costNanoUsd).toBe(COST + 800_000n);
    // Of several models with the same upstream name, the request is billed for the model that its hold used.
    const twice = new Map([...named, ['twin', model('twin', cheap, 'helper')]]);
    const needs: RateNeed[] = [{ kind: 'model', model: 'twin', maxCalls: 1 }];
    const held = billUsage({ ...USAGE, extras: { iterations } }, { ...SOURCE, catalogue: twice, needs });
    expect(held.usage.extras?.iterations?.[0]?.priceId).toBe(3);
  });

  it('does not resolve a further model through a route whose name the operator chose', () => {
    const arn = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/x';
    const iterations = [{ model: 'unknown', usage: USAGE }];
    const catalogue: Catalogue = new Map([['profile', model('profile', price(5, 1n), arn)]]);
    const bill = billUsage({ ...USAGE, extras: { iterations } }, { ...SOURCE, catalogue });
    expect(bill.missing).toEqual(['model unknown']);
  });
});
