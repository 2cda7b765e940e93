import { describe, expect, it } from 'vitest';
import { BASE_CONTRACTS, buildContracts } from './base-contracts.ts';
import { decideTerms } from './body-terms.ts';
import type { ContractEndpoint } from './contract.ts';
import { inspectRequest } from './inspect-request.ts';
import { classifyBody } from './request-members.ts';

const FREE = { forwardsUnknown: true, chargesMoney: false, maxToolCalls: null };
const PAID = { forwardsUnknown: false, chargesMoney: true, maxToolCalls: 10 };

const inspect = (body: Record<string, unknown>, endpoint: ContractEndpoint = 'chat') =>
  inspectRequest(body, BASE_CONTRACTS[endpoint]);

const needs = (body: Record<string, unknown>, endpoint?: ContractEndpoint) => inspect(body, endpoint).needs;

describe('tools that items of a Responses input declare', () => {
  it.each(['additional_tools', 'tool_search_output'])('have the rules of `tools`: %s', (type) => {
    const input = [
      { role: 'user', content: 'Hi' },
      { type, tools: [{ type: 'web_search' }, { type: 'function', name: 'f' }] },
    ];
    expect(needs({ input }, 'responses')).toEqual([
      { kind: 'tool_calls', tool: 'web_search', maxCalls: null, member: 'input', resultTokens: 16_000 },
    ]);
    const named = [{ type, tools: [{ type: 'image_generation', model: 'gpt-image-2' }] }];
    expect(inspect({ input: named }, 'responses').models).toEqual([
      { model: 'gpt-image-2', param: 'input.0.tools.0.model' },
    ]);
    expect(inspect({ input: [{ type, tools: [{ type: 'mystery' }] }] }, 'responses').unknownEntries).toEqual([
      { name: 'tools.mystery', param: 'input.0.tools.0.type' },
    ]);
  });
});

describe('members that change the price', () => {
  it('need a rate for the tier, the speed and the region that they request', () => {
    expect(needs({ service_tier: 'priority' })).toEqual([{ kind: 'service_tier', tier: 'priority' }]);
    expect(needs({ service_tier: 'flex' }, 'responses')).toEqual([{ kind: 'service_tier', tier: 'flex' }]);
    expect(needs({ speed: 'fast', inference_geo: 'us' }, 'messages')).toEqual([
      { kind: 'speed', speed: 'fast' },
      { kind: 'inference_geo', geo: 'us' },
    ]);
  });

  it('need no rate at the standard price', () => {
    const plain = {
      service_tier: 'default',
      speed: 'standard',
      inference_geo: 'global',
      web_search_options: null,
    };
    expect(needs(plain)).toEqual([]);
    expect(needs({ service_tier: 'standard_only' }, 'messages')).toEqual([]);
  });

  it('pin a choice that is left to the provider if money is charged', () => {
    expect(inspect({ service_tier: 'auto' }).pinned).toEqual({ service_tier: '"default"' });
    expect(inspect({ service_tier: 'auto' }, 'messages').pinned).toEqual({ service_tier: '"standard_only"' });
  });

  it('need a rate per call of each tool that the provider runs, bounded as the request bounds it', () => {
    const tools = [
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
      { type: 'web_fetch_20250910', name: 'web_fetch' },
      { name: 'mine', input_schema: {} },
      { type: 'bash_20250124', name: 'bash' },
    ];
    expect(needs({ tools }, 'messages')).toEqual([
      { kind: 'tool_calls', tool: 'web_search', maxCalls: 3 },
      { kind: 'tool_calls', tool: 'web_fetch', maxCalls: null },
    ]);
    expect(
      needs(
        { tools: [{ type: 'web_search_2025_08_26' }, { type: 'file_search' }], max_tool_calls: 2 },
        'responses',
      ),
    ).toEqual([
      { kind: 'tool_calls', tool: 'web_search', maxCalls: 2, resultTokens: 16_000 },
      { kind: 'tool_calls', tool: 'file_search', maxCalls: 2 },
    ]);
  });

  it('find tools in a namespace', () => {
    const tools = [
      { type: 'namespace', name: 'n', tools: [{ type: 'code_interpreter', container: 'auto' }] },
    ];
    expect(needs({ tools }, 'responses')).toEqual([
      { kind: 'tool_calls', tool: 'code_execution', maxCalls: null },
    ]);
  });

  it('add up the limits of two tools of one kind', () => {
    const tools = [
      { type: 'web_search_20250305', max_uses: 3 },
      { type: 'web_search_20260209', max_uses: 4 },
    ];
    expect(needs({ tools }, 'messages')).toEqual([{ kind: 'tool_calls', tool: 'web_search', maxCalls: 7 }]);
  });

  it('distinguish a shell of the caller from one of the provider', () => {
    expect(needs({ tools: [{ type: 'shell', environment: { type: 'local' } }] }, 'responses')).toEqual([]);
    expect(needs({ tools: [{ type: 'shell' }] }, 'responses')).toEqual([]);
    expect(
      needs({ tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }, 'responses'),
    ).toHaveLength(1);
  });

  it('need rates for sound and pictures that the model makes', () => {
    expect(needs({ modalities: ['text', 'audio'] })).toEqual([{ kind: 'tokens', class: 'audio_output' }]);
  });

  it('are refused if their value cannot be read', () => {
    expect(inspect({ service_tier: { priority: true } }).error).toMatchObject({ param: 'service_tier' });
    expect(inspect({ modalities: [['audio']] }).error).toMatchObject({ param: 'modalities.0' });
    expect(inspect({ tools: [{ type: ['web_search'] }] }, 'messages').error).toMatchObject({
      param: 'tools.0.type',
    });
  });
});

describe('members that name another model', () => {
  it('are found wherever they are', () => {
    expect(inspect({ models: ['a', 'b'] }).models).toEqual([
      { model: 'a', param: 'models.0' },
      { model: 'b', param: 'models.1' },
    ]);
    const body = {
      fallbacks: [{ model: 'c', speed: 'fast' }],
      tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'd' }],
    };
    expect(inspect(body, 'messages')).toMatchObject({
      error: null,
      needs: [{ kind: 'speed', speed: 'fast' }],
      models: [
        { model: 'c', param: 'fallbacks.0.model' },
        { model: 'd', param: 'tools.0.model' },
      ],
    });
    expect(inspect({ tools: [{ type: 'image_generation', model: 'e' }] }, 'responses').models).toEqual([
      { model: 'e', param: 'tools.0.model' },
    ]);
  });

  it.each([
    [{ fallbacks: 'default' }, 'fallbacks'],
    [{ fallbacks: [{ model: 'a', max_tokens: 100_000 }] }, 'fallbacks.0.max_tokens'],
    [{ models: [{ id: 'a' }] }, 'models.0'],
    [{ route: 'fallback' }, 'route'],
    [{ preset: 'cheap' }, 'preset'],
    [{ provider: { order: ['a'] } }, 'provider'],
    [{ tools: [{ type: 'advisor_20260301', name: 'advisor' }] }, 'tools.0.model'],
  ])('are refused if no model can be read: %j', (body, param) => {
    expect(inspect(body, 'messages').error).toMatchObject({ param });
  });

  it('are dropped on every plan if only their name suggests a model', () => {
    const found = inspect({ backup_model: 'x', fallbackList: ['y'] });
    expect(found.dropped).toEqual(['backup_model', 'fallbackList']);
    expect(decideTerms(found, FREE)).toMatchObject({
      value: { drops: ['backup_model', 'fallbackList'] },
    });
  });

  it('are checked in tools that no contract knows', () => {
    const tools = [{ type: 'acme:helper', parameters: { model: 'x' } }];
    expect(inspect({ tools }).models).toEqual([{ model: 'x', param: 'tools.0.parameters.model' }]);
  });
});

describe('members that no contract knows', () => {
  const body = { new_thing: 1, reasoning: { effort: 'low', newer: true }, __proto__x: 1 };

  it('are dropped if money is charged, also from objects', () => {
    expect(decideTerms(inspect(body), PAID)).toEqual({
      ok: true,
      value: {
        drops: ['new_thing', '__proto__x'],
        nestedDrops: { reasoning: ['newer'] },
        edits: { reasoning: '{"effort":"low"}' },
        dropped: ['new_thing', 'reasoning.newer', '__proto__x'],
      },
    });
  });

  it('are forwarded if no money is charged', () => {
    expect(decideTerms(inspect(body), FREE)).toMatchObject({ value: { dropped: [] } });
  });

  it('are refused as tools if money is charged, since a choice may depend on them', () => {
    const found = inspect({ tools: [{ type: 'brand_new' }] }, 'responses');
    expect(decideTerms(found, PAID)).toMatchObject({
      ok: false,
      error: { code: 'unsupported_parameter', param: 'tools.0.type' },
    });
    expect(decideTerms(found, FREE)).toMatchObject({ ok: true });
  });

  it('are forwarded once the operator allows them', () => {
    const allowed = ['new_thing', 'reasoning.newer', 'preset', 'tools.brand_new', 'store'];
    const { chat } = buildContracts({}, allowed);
    const tools = [{ type: 'brand_new' }];
    const found = inspectRequest({ ...body, preset: 'p', store: true, tools, other: 1 }, chat);
    expect(found).toMatchObject({
      error: null,
      unknown: ['__proto__x', 'other'],
      dropped: [],
      unknownEntries: [],
    });
  });
});

it('needs the rate of a priced tool, and checks a named model, also if the operator allows them', () => {
  const { messages } = buildContracts({}, ['tools.web_search', 'tools.web_search_20250305', 'tools.advisor']);
  const tools = [
    { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
    { type: 'advisor_20260301', name: 'advisor', model: 'm' },
  ];
  expect(inspectRequest({ tools }, messages)).toMatchObject({
    needs: [{ kind: 'tool_calls', tool: 'web_search', maxCalls: 2 }],
    models: [{ model: 'm', param: 'tools.1.model' }],
  });
});

it('drops store, and the metadata that belongs to it', () => {
  expect(inspect({ store: true, metadata: { a: 'b' } }).dropped).toEqual(['store', 'metadata']);
  expect(inspect({ store: false, metadata: { a: 'b' } }).dropped).toEqual([]);
});

it.each([
  ['max_search_results', 'chat', { search_parameters: { mode: 'on', max_search_results: 0 } }],
  ['max_uses', 'messages', { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 0 }] }],
  ['max_uses', 'messages', { tools: [{ type: 'advisor_20260301', name: 'a', model: 'm', max_uses: 0 }] }],
  ['max_tool_calls', 'responses', { max_tool_calls: 0, tools: [{ type: 'web_search' }] }],
] as const)(
  'refuses a limit of 0 calls, which providers may take for no limit: %s of %s',
  (member, endpoint, body) => {
    const { error } = inspect(body, endpoint);
    expect(error).toMatchObject({ code: 'invalid_request' });
    expect(error?.param).toContain(member);
    expect(error?.message).toContain('at least 1');
  },
);

describe('a member with a rule that has another shape', () => {
  const SEARCH = { type: 'web_search_20250305', name: 'web_search' };
  const model = { model: 'dear' };
  it.each<[ContractEndpoint, Record<string, unknown>, string]>([
    ['messages', { tools: SEARCH }, 'tools'],
    ['messages', { tools: [[SEARCH]] }, 'tools.0'],
    ['messages', { tools: [[{ type: 'advisor_20260301', name: 'advisor', ...model }]] }, 'tools.0'],
    ['messages', { thinking: [{ type: 'enabled', ...model }] }, 'thinking'],
    ['messages', { output_config: [{ effort: 'max', ...model }] }, 'output_config'],
    ['chat', { tools: { type: 'web_search' } }, 'tools'],
    ['chat', { tools: ['web_search'] }, 'tools.0'],
    ['chat', { tools: [[{ type: 'web_search' }]] }, 'tools.0'],
    ['chat', { plugins: { id: 'web' } }, 'plugins'],
    ['chat', { plugins: ['web'] }, 'plugins.0'],
    ['chat', { reasoning: [model] }, 'reasoning'],
    ['chat', { moderation: [model] }, 'moderation'],
    ['responses', { text: [model] }, 'text'],
    [
      'responses',
      { tools: [{ type: 'namespace', name: 'n', tools: { type: 'web_search' } }] },
      'tools.0.tools',
    ],
    ['responses', { input: [{ type: 'additional_tools', tools: { type: 'web_search' } }] }, 'input.0.tools'],
    ['responses', { tools: [{ type: 'shell', environment: 'container_auto' }] }, 'tools.0.environment'],
    ['responses', { tools: [{ type: 'shell', environment: [{}] }] }, 'tools.0.environment'],
    ['responses', { tools: [{ type: 'code_interpreter', container: [{}] }] }, 'tools.0.container'],
    ['responses', { tools: [{ type: 'code_interpreter', environment: [{}] }] }, 'tools.0.environment'],
  ])('is rejected: %s %j', (endpoint, body, param) => {
    expect(inspect(body, endpoint).error).toMatchObject({ code: 'invalid_request', param });
  });

  it('is not one if it is null', () => {
    expect(inspect({ tools: null, plugins: null, reasoning: null, stream_options: null }).error).toBeNull();
  });

  it.each<[ContractEndpoint, Record<string, unknown>]>([
    ['chat', { messages: [{ role: 'user', content: [[{ type: 'file', file: { file_id: 'f' } }]] }] }],
    ['chat', { messages: [[{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }]] }],
    ['messages', { messages: [{ role: 'user', content: [[{ source: { type: 'file', file_id: 'f' } }]] }] }],
    ['chat', { tools: [{ type: 'function', name: 'x', parameters: {}, file_ids: ['f'] }] }],
    ['chat', { tools: [{ type: 'function', function: { name: 'x', vector_store_ids: ['v'] } }] }],
  ])('hides no stored id: %s %j', (endpoint, body) => {
    const { members, conversation } = classifyBody(body);
    const { restricted } = inspectRequest(members, BASE_CONTRACTS[endpoint], conversation);
    expect(restricted).toHaveLength(1);
  });

  it('is no tool of the caller if it has neither a function nor a name', () => {
    expect(inspect({ tools: [{ google_search: {} }] }).unknownEntries).toEqual([
      { name: 'tools.google_search', param: 'tools.0.type' },
    ]);
    for (const absent of [{ name: null }, { function: null }, { name: undefined }])
      expect(inspect({ tools: [{ ...absent, google_search: {} }] }).unknownEntries).toHaveLength(1);
    expect(inspect({ tools: [{ function: { name: 'f' } }] }).unknownEntries).toEqual([]);
    expect(inspect({ tools: [{ name: 'f', input_schema: {} }] }, 'messages').unknownEntries).toEqual([]);
  });
});
