import { BASE_CONTRACTS, type RequestContracts } from '@tollgate/dialects/contract/base-contracts';
import { decideTerms } from '@tollgate/dialects/contract/body-terms';
import { inspectRequest } from '@tollgate/dialects/contract/inspect-request';
import { describeRecordings, loadDialectRecordings } from '@tollgate/testing/recordings';
import { describe, expect, it } from 'vitest';
import { createHttpProvider } from '../create-provider.ts';
import { PRESETS } from './presets.ts';

const PAID = { forwardsUnknown: false, chargesMoney: true, maxToolCalls: 10 };

function getContracts(presetName: string | null): RequestContracts {
  const preset = PRESETS.find(({ name }) => name === presetName);
  if (preset === undefined) return BASE_CONTRACTS;
  const stored = {
    id: 'p',
    name: 'p',
    preset: preset.name,
    dialect: preset.dialect,
    baseUrl: 'https://example.com',
    settings: {},
    connectTimeoutMs: null,
    firstByteTimeoutMs: null,
    idleTimeoutMs: null,
    totalTimeoutMs: null,
    maxConcurrency: null,
  };
  return createHttpProvider(stored, { kind: 'api-key', apiKey: null, headers: {} }).contracts;
}

const ENDPOINTS = {
  'openai-chat': 'chat',
  'anthropic-messages': 'messages',
  'openai-responses': 'responses',
} as const;

const recordings = loadDialectRecordings(['openai-chat', 'anthropic-messages', 'openai-responses']);
const PRESET_OF: Readonly<Record<string, string>> = { azure: 'azure-openai' };
const REJECTED = new Set([
  // It chooses the provider.
  'openrouter/chat-reasoning-tool-call',
  // The number of calls cannot be limited.
  'anthropic/messages-code-execution',
]);

describe(`request contracts on recorded requests. ${describeRecordings(recordings)}`, () => {
  const cases = recordings.cases.filter(({ request }) => request !== null);

  it.each(cases.map((found) => [found.name, found] as const))('%s has no unknown member', (name, found) => {
    const [provider = ''] = name.split('/', 1);
    const contracts = getContracts(PRESET_OF[provider] ?? provider);
    const inspected = inspectRequest(found.request?.json ?? {}, contracts[ENDPOINTS[found.dialect]]);
    expect(inspected.reported).toEqual([]);
    if (!REJECTED.has(name)) expect(decideTerms(inspected, PAID)).toMatchObject({ ok: true });
  });
});

describe('OpenRouter contract', () => {
  const { chat } = getContracts('openrouter');

  it('forwards preferences that keep the price and refuses a choice of provider', () => {
    expect(inspectRequest({ provider: { data_collection: 'deny', zdr: true } }, chat).error).toBeNull();
    expect(inspectRequest({ provider: { order: ['acme'] } }, chat).error).toMatchObject({
      code: 'unsupported_parameter',
      param: 'provider.order',
    });
    expect(inspectRequest({ provider: { newer: 1 } }, chat).unknown).toEqual(['provider.newer']);
  });

  it('prices searches in every form of request', () => {
    const need = (maxCalls: number | null) => [{ kind: 'tool_calls', tool: 'web_search', maxCalls }];
    expect(inspectRequest({ plugins: [{ id: 'web', max_results: 3 }] }, chat).needs).toMatchObject([
      { ...need(3)[0], member: 'plugins' },
    ]);
    const tool = { type: 'openrouter:web_search', parameters: { max_uses: 2 } };
    expect(inspectRequest({ tools: [tool] }, chat).needs).toEqual(need(2));
    expect(inspectRequest({ plugins: [{ id: 'auto-router' }] }, chat).error).toMatchObject({
      param: 'plugins.0.id',
    });
  });
});

it.each([
  ['openai', 'chat', 'default'],
  ['openai', 'responses', 'default'],
  ['anthropic', 'messages', 'standard_only'],
] as const)('a request without a tier is sent to %s (%s) in the priced tier', (preset, endpoint, tier) => {
  const contract = getContracts(preset)[endpoint];
  for (const body of [
    { model: 'm' },
    { model: 'm', service_tier: null },
    { model: 'm', service_tier: 'auto' },
  ])
    expect(decideTerms(inspectRequest(body, contract), PAID)).toMatchObject({
      value: { edits: { service_tier: JSON.stringify(tier) }, dropped: [] },
    });
  const asNamed = decideTerms(inspectRequest({ model: 'm', service_tier: tier }, contract), PAID);
  expect(asNamed).toMatchObject({ value: { edits: {} } });
  const free = { ...PAID, forwardsUnknown: true, chargesMoney: false };
  expect(decideTerms(inspectRequest({ model: 'm' }, contract), free)).toMatchObject({
    value: { edits: {} },
  });
});

it('drops members that a provider refuses', () => {
  expect(inspectRequest({ service_tier: 'flex', user: 'u' }, getContracts('gemini').chat)).toMatchObject({
    needs: [],
    dropped: ['service_tier', 'user'],
  });
});
