import type { Buffer } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { parseAnthropicCountRequest } from '@tollgate/dialects/anthropic-messages/count-request';
import { parseAnthropicMessagesRequest } from '@tollgate/dialects/anthropic-messages/parse-request';
import { asObject, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { parseOpenAiChatRequest } from '@tollgate/dialects/openai-chat/parse-request';
import { parseOpenAiEmbeddingsRequest } from '@tollgate/dialects/openai-embeddings/parse-request';
import { parseOpenAiResponsesRequest } from '@tollgate/dialects/openai-responses/parse-request';
import { VALID_BODIES } from '@tollgate/testing/bad-input/valid-bodies';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES } from '../gateway-fixture.ts';
import { buildReaders, type JsonReader } from './json-readers/build-readers.ts';
import { createHostileBodies } from './json-readers/hostile-bodies.ts';
import { readByJavaScript } from './json-readers/understood.ts';

/** Number of bodies per endpoint. */
const BODIES = Number(process.env.ONE_MEANING_BODIES ?? 60);
const SEED = Number(process.env.ONE_MEANING_SEED ?? 1_411);
const OWN_MAX = 4_000;
const MODELS = ['chat-model', 'messages-model'] as const;

const ENDPOINTS = [
  {
    path: '/chat/completions',
    models: MODELS,
    bases: VALID_BODIES['openai-chat'],
    parse: parseOpenAiChatRequest,
  },
  {
    path: '/messages',
    models: MODELS,
    bases: VALID_BODIES['anthropic-messages'],
    parse: parseAnthropicMessagesRequest,
  },
  {
    path: '/responses',
    models: MODELS,
    bases: VALID_BODIES['openai-responses'],
    parse: parseOpenAiResponsesRequest,
  },
  {
    path: '/messages/count_tokens',
    models: MODELS,
    bases: VALID_BODIES['anthropic-messages'],
    parse: parseAnthropicCountRequest,
  },
  {
    path: '/embeddings',
    models: ['embedder'],
    bases: [{ input: 'Hello' }, { input: ['a', 'b'], dimensions: 8, encoding_format: 'float', user: 'ann' }],
    parse: parseOpenAiEmbeddingsRequest,
  },
] as const;

/** The body sent to a provider, and the gateway's reading of it. */
interface Sent {
  callerBody: Buffer;
  body: Buffer;
  /** The provider speaks Anthropic's dialect, which ignores members of the other one. */
  isMessages: boolean;
  understood: JsonObject;
}

const built = await buildReaders();
if (!built.ok) process.stdout.write(`One meaning: skipped, ${built.reason}\n`);

describe.skipIf(!built.ok)('every JSON reader understands a body like the gateway', async () => {
  const readers: readonly JsonReader[] = built.ok ? built.readers : [];
  const harness = await createHarness([]);
  for (const [id, dialect] of [
    ['chat-model', 'openai-chat'],
    ['messages-model', 'anthropic-messages'],
    ['embedder', 'openai-chat'],
    ['forbidden', 'openai-chat'],
  ] as const) {
    const capabilities = id === 'embedder' ? ['embeddings'] : [];
    await ensureBuiltIn(harness.database.db, {
      name: `provider-of-${id}`,
      dialect,
      baseUrl: `${harness.provider.origin}/v1`,
      credentialEnv: null,
      preset: null,
      models: [
        { id, upstreamModel: null, facts: { maxOutputTokens: OWN_MAX, capabilities }, prices: PRICES },
      ],
    });
  }
  const allowedModels = [...MODELS, 'embedder'];
  const keys = {
    held: (await harness.createKey({ allowedModels, maxBudgetUsd: '1000000' })).secret,
    free: (await harness.createKey({ allowedModels })).secret,
  };
  const apis = [
    await startTestApi({ db: harness.database.db, runtime: 'node' }),
    await startTestApi({ db: harness.database.db, runtime: 'web' }),
  ] as const;
  afterAll(async () => {
    for (const api of apis) await api.close();
    await harness[Symbol.asyncDispose]();
  });

  it.each(ENDPOINTS)(
    'on $path',
    async ({ path, bases, parse, models }) => {
      const draw = createHostileBodies(SEED, bases);
      const sent: Sent[] = [];
      const problems: string[] = [];
      let refused = 0;
      for (let drawn = 0; drawn < BODIES; drawn += 1) {
        const callerBody = draw(models);
        const api = apis[drawn % 2] ?? apis[0];
        const isHeld = drawn % 4 < 2;
        harness.provider.reset();
        const response = await fetch(api.baseUrl + path, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${isHeld ? keys.held : keys.free}`,
          },
          body: new Uint8Array(callerBody),
        });
        await response.text();
        const [request] = harness.provider.requests;
        if (response.status !== 200) {
          refused += 1;
          if (response.status > 499) problems.push(`${response.status}: ${callerBody.toString()}`);
        }
        if (request === undefined) continue;
        const parsed = parse(callerBody.toString('utf8').replace(/^\ufeff/, ''));
        if (!parsed.ok) {
          problems.push(`sent what it does not understand: ${callerBody.toString()}`);
          continue;
        }
        const { model, stream, maxOutputTokens, choices } = parsed.value;
        const isMetered = maxOutputTokens !== 0;
        const lowered = response.headers.get('x-tollgate-max-tokens');
        const ownLimit = maxOutputTokens ?? (isHeld ? OWN_MAX : null);
        const limit = lowered === null ? ownLimit : Number(lowered);
        sent.push({
          callerBody,
          body: request.body,
          isMessages: request.path.includes('/messages'),
          understood: {
            model,
            ...(isMetered && { stream, choices }),
            ...(isMetered && limit !== null && { limit }),
            ...(stream && request.path.endsWith('/chat/completions') && { includeUsage: true }),
          },
        });
      }
      const bodies = sent.map(({ body }) => body);
      const read = await Promise.all(readers.map((reader) => reader.read(bodies)));
      let compared = 0;
      for (const [at, each] of sent.entries()) {
        const json = parseJsonObject(each.body.toString('utf8'));
        const script = json === null ? null : readByJavaScript(json);
        if (script === null) {
          problems.push(`sent what is no JSON object: ${each.callerBody.toString()}`);
          continue;
        }
        const said = (problem: string) =>
          problems.push(`${problem}\n  from ${each.callerBody.toString()}\n  sent ${each.body.toString()}`);
        const own = findDifference(each, script);
        if (own !== null) said(`the gateway: ${own}`);
        for (const [index, { name }] of readers.entries()) {
          const results = Object.entries(getResults(read[index]?.[at]));
          for (const [kind, result] of results) {
            // Typed readers refuse values of another type, so such a request gets no response.
            if (typeof result['error'] === 'string' && (name === 'Go' || kind === 'struct')) continue;
            compared += 1;
            if (!isDeepStrictEqual(result, script)) said(`${name} ${kind} reads ${JSON.stringify(result)}`);
          }
        }
      }
      expect(problems).toEqual([]);
      expect(sent.length).toBeGreaterThan(BODIES / 10);
      expect(refused).toBeGreaterThan(BODIES / 10);
      // Python and Rust's untyped value always parse; Go and Rust's struct refuse values of other types.
      expect(compared).toBeGreaterThan(sent.length * 3.5);
    },
    300_000,
  );
});

function getResults(read: unknown): Record<string, JsonObject> {
  const object = asObject(read) ?? { error: 'nothing' };
  const [one, other] = [asObject(object['struct']), asObject(object['value'])];
  return one === null || other === null ? { value: object } : { struct: one, value: other };
}

function findDifference({ understood, isMessages }: Sent, read: JsonObject): string | null {
  const names = isMessages ? ['max_tokens'] : ['max_tokens', 'max_completion_tokens'];
  const limits = names.map((name) => read[name] ?? null);
  const named = new Set(limits.filter((limit) => limit !== null));
  const facts: Record<string, unknown> = {
    model: read['model'],
    stream: read['stream'] ?? false,
    choices: isMessages
      ? understood['choices']
      : Math.max(Number(read['n'] ?? 1), Number(read['best_of'] ?? 1)),
    limit: named.size === 1 ? [...named][0] : [...named],
    includeUsage: read['include_usage'],
  };
  const wrong = Object.entries(understood).find(([name, value]) => facts[name] !== value);
  return wrong === undefined
    ? null
    : `understood ${JSON.stringify(wrong)}, sent ${JSON.stringify(facts[wrong[0]])}`;
}
