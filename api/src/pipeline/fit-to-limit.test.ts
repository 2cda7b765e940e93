import { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import { getCodec } from '@tollgate/dialects/codec';
import { BASE_CONTRACTS } from '@tollgate/dialects/contract/base-contracts';
import { objectRule, type MemberRule } from '@tollgate/dialects/contract/member-rule';
import { parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { NO_QUIRKS } from '@tollgate/dialects/openai-chat/quirks/provider-quirks';
import { arbitraryTextPart, arbitraryToolCallPart } from '@tollgate/testing/arbitrary-completion-content';
import {
  arbitraryCompletionRequest,
  arbitraryConversation,
  arbitraryJsonSchemaFormat,
  arbitrarySampling,
  arbitraryTool,
} from '@tollgate/testing/arbitrary-completion-request';
import { createHttpProvider } from '@tollgate/upstreams/create-provider';
import type { Provider } from '@tollgate/upstreams/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Route, UpstreamEndpoint } from '../catalogue/route.ts';
import { translateBody } from '../request-body/worker/translate-body.ts';
import { getTarget, type TargetSource } from './encode-for-provider.ts';
import type { EncodedTerms } from './encoded-terms.ts';
import { Translator } from './translation.ts';

const SOURCE: TargetSource = {
  model: { maxOutputTokens: 64_000, capabilities: [] },
  key: { accountId: 'a' },
  exchange: { header: () => null },
};
const CLAUDE = ['claude-haiku-4-5', 'claude-opus-4-6', 'claude-opus-4-8', 'claude-3-haiku-20240307', 'own'];
const OPENAI = ['gpt-5.4', 'gpt-4.1', 'own'];
const DIRECTIONS: readonly (readonly [from: Dialect, to: Dialect, models: readonly string[]])[] = [
  ['openai-chat', 'anthropic-messages', CLAUDE],
  ['openai-responses', 'anthropic-messages', CLAUDE],
  ['anthropic-messages', 'openai-chat', OPENAI],
  ['anthropic-messages', 'openai-responses', OPENAI],
  ['openai-responses', 'openai-chat', OPENAI],
];
const CONTRACTS = {
  'openai-chat': BASE_CONTRACTS.chat,
  'anthropic-messages': BASE_CONTRACTS.messages,
  'openai-responses': BASE_CONTRACTS.responses,
};
const TERMS: EncodedTerms = {
  needs: [],
  policy: { forwardsUnknown: true, chargesMoney: false, maxToolCalls: null },
  hasUncountedTools: true,
  hasCompaction: true,
};

const DEMO: Provider = { kind: 'demo', name: 'demo' };
/** It takes the old settings of all models, so that the rules of models are not applied. */
const CUSTOM = createHttpProvider(
  {
    id: 'custom',
    name: 'custom',
    preset: null,
    dialect: 'openai-chat',
    baseUrl: 'http://127.0.0.1:1/v1',
    settings: {},
    connectTimeoutMs: null,
    firstByteTimeoutMs: null,
    idleTimeoutMs: null,
    totalTimeoutMs: null,
    maxConcurrency: null,
  },
  { kind: 'api-key', apiKey: 'k', headers: {} },
);

function routeTo(
  to: Dialect,
  upstreamModel: string,
  provider: Provider = DEMO,
): Route & { ends: [UpstreamEndpoint] } {
  return {
    id: 'route',
    routeId: 'route',
    credential: null,
    byCredential: null,
    isOneOfSeveral: false,
    isOwn: false,
    provider,
    upstreamModel,
    servedNames: [],
    contextTokens: null,
    costPpm: 1_000_000,
    priority: 0,
    weight: 1,
    ends: [{ dialect: to, address: null, headers: [], contract: CONTRACTS[to] }],
    countTokens: null,
    inputTokens: null,
    embeddings: null,
  };
}

/** Translates a body with the given output limit. @param isLarge a thread has translated it for the caller's own limit */
function translate(
  from: Dialect,
  body: Buffer,
  route: ReturnType<typeof routeTo>,
  limit: number,
  isLarge: boolean,
  terms = TERMS,
) {
  const [end] = route.ends;
  const target = getTarget(route, end.dialect, SOURCE);
  const prepared = isLarge ? translateBody(from, body, [target]) : null;
  if (prepared?.ok === false) return prepared;
  const source = { from, body, ...SOURCE, prepared: prepared?.value ?? null };
  const translated = new Translator(source).translate(route, end, {
    outputLimit: limit,
    isHeld: true,
    terms,
  });
  if (!translated.ok) return { ok: false as const };
  const { body: sent, dropped, reasoning } = translated.value;
  const bytes = 'pieces' in sent ? Buffer.concat(sent.pieces) : sent;
  return {
    ok: true as const,
    sent: parseJsonObject(bytes.toString()),
    dropped: [...dropped].toSorted(),
    reasoning,
  };
}

/** What every dialect expresses; all that may depend on the output limit. */
const text = arbitraryTextPart({ citations: fc.constant([]), cache: fc.constant(null) });
const call = arbitraryToolCallPart({ cache: fc.constant(null) });
const thinking = fc.record({
  type: fc.constant('thinking' as const),
  text: fc.constant('Hm.'),
  signature: fc.constantFrom('own', null),
});
const arbitraryRequest = arbitraryCompletionRequest({
  messages: arbitraryConversation({
    system: text,
    user: text,
    assistant: fc.oneof(text, call, thinking),
    toolResult: text,
    name: fc.constant(null),
    isError: fc.constant(false),
    toolCache: fc.constant(null),
  }),
  tools: fc.array(arbitraryTool({ cache: fc.constant(null) }), { minLength: 1, maxLength: 2 }),
  toolChoice: fc.constantFrom(null, { type: 'auto' }, { type: 'required' }),
  hostedTools: fc.constant([]),
  outputFormat: fc.oneof(fc.constant({ type: 'text' as const }), arbitraryJsonSchemaFormat()),
  stopSequences: fc.constant([]),
  sampling: arbitrarySampling({ logitBias: fc.constant(null) }),
  choices: fc.constant(1),
  logprobs: fc.constant(null),
  modalities: fc.constant(['text']),
  extra: fc.constant({}),
});

describe.each(DIRECTIONS)('a large body of %s for %s', (from, to, models) => {
  it('has the same settings for any output limit as one that is translated for it', () => {
    let compared = 0;
    const limits = fc.constantFrom(1, 16, 1_000, 1_024, 1_025, 2_000, 8_192, 20_000, 64_000, 200_000);
    const providers = fc.constantFrom<Provider>(DEMO, CUSTOM);
    fc.assert(
      fc.property(
        arbitraryRequest,
        fc.constantFrom(...models),
        limits,
        providers,
        (canonical, model, limit, provider) => {
          const written = getCodec(from).encodeRequest(canonical, {
            quirks: NO_QUIRKS,
            defaultMaxTokens: 4_096,
          });
          if (!written.ok) return;
          const body = Buffer.from(JSON.stringify(written.body satisfies JsonObject));
          const route = routeTo(to, model, provider);
          const whole = translate(from, body, route, limit, false);
          if (whole.ok) compared += 1;
          expect(translate(from, body, route, limit, true)).toEqual(whole);
        },
      ),
      { numRuns: 300 },
    );
    expect(compared).toBeGreaterThan(20);
  });
});

it('lowers a thinking budget with the limit, and leaves thinking out if none fits', () => {
  const body = Buffer.from(
    '{"model":"m","messages":[{"role":"user","content":"Hi"}],"reasoning_effort":"high","max_completion_tokens":40000}',
  );
  const route = routeTo('anthropic-messages', 'claude-haiku-4-5');
  const send = (limit: number) => translate('openai-chat', body, route, limit, true);
  expect(send(10_000)).toMatchObject({
    sent: { max_tokens: 10_000, thinking: { type: 'enabled', budget_tokens: 8_000 } },
    dropped: [],
  });
  const short = send(500);
  expect(short).toMatchObject({ sent: { max_tokens: 500 }, dropped: ['reasoning_effort'], reasoning: null });
  expect(short).not.toHaveProperty('sent.thinking');
});

it('leaves out or replaces what the contract of the provider demands, even if the limit has changed it', () => {
  const body = Buffer.from(
    '{"model":"m","messages":[{"role":"user","content":"Hi"}],"reasoning_effort":"high","max_completion_tokens":40000}',
  );
  const charging = { ...TERMS, policy: { forwardsUnknown: false, chargesMoney: true, maxToolCalls: null } };
  const send = (thinking: MemberRule | null, isLarge: boolean) => {
    const members = new Map(CONTRACTS['anthropic-messages'].members);
    if (thinking === null) members.delete('thinking');
    else members.set('thinking', thinking);
    const route = routeTo('anthropic-messages', 'claude-haiku-4-5');
    route.ends[0].contract = { ...CONTRACTS['anthropic-messages'], members };
    return translate('openai-chat', body, route, 10_000, isLarge, charging);
  };
  const dropped = send(null, true);
  expect(dropped).toEqual(send(null, false));
  expect(dropped).toMatchObject({ sent: { max_tokens: 10_000 }, dropped: ['thinking'] });
  expect(dropped).not.toHaveProperty('sent.thinking');
  const edited = send(objectRule('type'), true);
  expect(edited).toEqual(send(objectRule('type'), false));
  expect(edited).toMatchObject({
    sent: { thinking: { type: 'enabled' } },
    dropped: ['thinking.budget_tokens'],
  });
  expect(edited).not.toHaveProperty('sent.thinking.budget_tokens');
});
