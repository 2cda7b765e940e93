import type { Dialect } from '@tollgate/core/models/dialect';
import { NO_RATES, type RateCard } from '@tollgate/core/money/rates/rate-card';
import { asObject, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { createSeededRandom, type SeededRandom } from '@tollgate/testing/bad-input/seeded-random';
import { createTestDatabase } from '@tollgate/testing/database';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { expect } from 'vitest';
import { startTestApi } from '../../../src/testing/start-test-api.ts';
import { TESTED_ENDPOINTS, type TestedEndpoint } from '../../tested-endpoints.ts';
import { splitTokens, startCutProvider, type Continuing, type Ending, type Plan } from './cut-provider.ts';

const PRICES: RateCard = {
  inputNanoUsdPerMtok: 1_000_000_000n,
  outputNanoUsdPerMtok: 5_000_000_000n,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
  rates: NO_RATES,
};
/** Requests at the same time. */
const PARALLEL = 32;

interface Target {
  model: string;
  dialect: Dialect;
  preset: string | null;
  upstreamModel: string;
}

/** Providers of every dialect; two of them continue a message of the assistant. */
const TARGETS: readonly Target[] = [
  { model: 'chat', dialect: 'openai-chat', preset: null, upstreamModel: 'chat-upstream' },
  { model: 'chat-prefill', dialect: 'openai-chat', preset: 'mistral', upstreamModel: 'mistral-small' },
  { model: 'messages', dialect: 'anthropic-messages', preset: null, upstreamModel: 'messages-upstream' },
  {
    model: 'messages-prefill',
    dialect: 'anthropic-messages',
    preset: null,
    upstreamModel: 'claude-sonnet-4-5',
  },
  { model: 'responses', dialect: 'openai-responses', preset: null, upstreamModel: 'responses-upstream' },
];

interface Case {
  id: string;
  endpoint: TestedEndpoint;
  target: Target;
  plan: Plan;
}

/** Cuts streams at random places, and compares what the caller gets and pays with the complete response. */
export async function runCuts({
  cases,
  seed,
}: {
  cases: number;
  seed: number;
}): Promise<{ continued: number }> {
  await using database = await createTestDatabase();
  await using provider = await startCutProvider();
  const { db } = database;
  for (const name of ['first', 'second'])
    for (const { model, dialect, preset, upstreamModel } of TARGETS)
      await ensureBuiltIn(db, {
        name: `${name}-${model}`,
        dialect,
        baseUrl: provider.baseUrl,
        credentialEnv: null,
        preset,
        models: [{ id: model, upstreamModel, facts: { maxOutputTokens: 8_192 }, prices: PRICES }],
      });
  await db.sql`UPDATE models SET continue_streams = true`;
  const { accountId } = await createAccountFixture(db);
  const { secret } = await createKeyFixture(db, accountId, { maxBudgetUsd: '1000' });
  const api = await startTestApi({ db, runtime: 'node', attempts: 3 });
  try {
    const all = Array.from({ length: cases }, (_, index) => createCase(seed + index));
    const counts = { continued: 0 };
    const failed: { case: string; problems: string[] }[] = [];
    for (let at = 0; at < all.length; at += PARALLEL) {
      const asked = all.slice(at, at + PARALLEL).map(async (each) => {
        provider.plans.set(each.id, each.plan);
        const problems = await check(each);
        if (problems.length > 0) failed.push({ case: describeCase(each), problems });
      });
      await Promise.all(asked);
    }
    expect(failed.slice(0, 5)).toEqual([]);
    const report = await verifyLedger(db, { recompute: null });
    expect(report).toMatchObject({ findings: [] });
    return counts;

    async function check({ id, endpoint, target, plan }: Case): Promise<string[]> {
      const response = await fetch(api.baseUrl + endpoint.path, {
        method: 'POST',
        headers: endpoint.headers(secret),
        body: JSON.stringify(getBody(endpoint.dialect, target.model, id)),
      });
      const stream = await response.text();
      const read = readStream(endpoint.dialect, stream);
      const problems = endpoint.checkStream(stream, { ending: 'whole', wantsUsage: true });
      if (response.status !== 200) problems.push(`status ${response.status}: ${stream}`);
      for (const text of read.texts) if (text !== plan.text) problems.push(`text: ${text}`);
      const requestId = response.headers.get('x-request-id') ?? '';
      const record = await findRecord(requestId);
      const attempts = record.attempts ?? [];
      const isContinued = attempts.at(-1)?.outcome === 'continued';
      if (isContinued) counts.continued += 1;
      if (isContinued !== (read.continued !== null))
        problems.push(`says continued: ${String(read.continued)}`);
      const output = splitTokens(plan.text).length;
      const input = splitTokens(getPrompt(id)).length;
      if (record.output !== output) problems.push(`output tokens: ${record.output}, not ${output}`);
      // Of a response whose usage was cut off, the input is estimated.
      const isUnreported = record.estimated && (!isContinued || (plan.cuts.at(-1) ?? 0) > 0.75);
      if (!isUnreported && record.input !== input)
        problems.push(`input tokens: ${record.input}, not ${input}`);
      if (record.cost !== String(record.input * 1_000 + output * 5_000))
        problems.push(`cost: ${record.cost}`);
      if (read.outputTokens !== output) problems.push(`shown output tokens: ${String(read.outputTokens)}`);
      if (isContinued && Number(record.unbilled) <= 0) problems.push('no unbilled cost');
      return problems;
    }

    async function findRecord(id: string) {
      const find = () => db.sql<RecordRow[]>`SELECT input_tokens AS input, output_tokens AS output, estimated,
        cost_nano_usd::text AS cost, operator_cost_nano_usd::text AS unbilled, attempts
        FROM requests WHERE id = ${id} AND state = 'settled'`;
      await expect.poll(async () => (await find()).length, { interval: 5, timeout: 10_000 }).toBe(1);
      const [row] = await find();
      if (row === undefined) throw new Error('The request has no record');
      return row;
    }
  } finally {
    await api.close();
  }
}

interface RecordRow {
  input: number;
  output: number;
  estimated: boolean;
  cost: string;
  unbilled: string;
  attempts: { outcome: string }[] | null;
}

function createCase(seed: number): Case {
  const random = createSeededRandom(seed);
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item =>
    items[random.below(items.length)] ?? items[0];
  const id = `case-${seed}`;
  const [chat, ...others] = TESTED_ENDPOINTS;
  const [first, ...targets] = TARGETS;
  if (chat === undefined || first === undefined) throw new Error('There are no endpoints');
  const cuts = [random.below(10_001) / 10_000];
  if (random.below(4) === 0) cuts.push(random.below(10_001) / 10_000);
  const plan: Plan = {
    text: createText(random, pick),
    continuing: pick<Continuing>(['goes on', 'restarts', 'repeats']),
    ending: pick<Ending>(['reset', 'close', 'end']),
    cuts,
    repeated: 9 + random.below(4),
  };
  return { id, endpoint: pick([chat, ...others]), target: pick([first, ...targets]), plan };
}

/** Tokens of at most four bytes, so that one is one token by every count. */
function createText(random: SeededRandom, pick: <Item>(items: readonly [Item, ...Item[]]) => Item): string {
  const letter = () => String.fromCharCode(97 + random.below(26));
  const count = 20 + random.below(60);
  const words = Array.from({ length: count }, () =>
    pick([() => letter() + letter(), () => 'é', () => letter(), () => `${letter()}"`])(),
  );
  return words.join(pick([' ', ' ', '\n']));
}

const getPrompt = (id: string) => `Write the text of ${id}, please.`;

function getBody(dialect: Dialect, model: string, id: string): JsonObject {
  const said = { role: 'user', content: getPrompt(id) };
  if (dialect === 'openai-responses') return { model, input: [said], stream: true };
  if (dialect === 'anthropic-messages') return { model, messages: [said], max_tokens: 4_000, stream: true };
  return { model, messages: [said], stream: true, stream_options: { include_usage: true } };
}

/** Reads a stream as a client does: every place where the whole text is. */
function readStream(dialect: Dialect, stream: string) {
  let text = '';
  const texts: string[] = [];
  let outputTokens: unknown = null;
  let continued: unknown = null;
  for (const block of stream.split('\n\n')) {
    const event = parseJsonObject(/^data: ?(.*)$/m.exec(block)?.[1] ?? '');
    if (event === null) continue;
    const response = asObject(event['response']);
    const usage = asObject(event['usage']) ?? asObject(response?.['usage']);
    outputTokens = usage?.['completion_tokens'] ?? usage?.['output_tokens'] ?? outputTokens;
    const said = asObject(event['tollgate']) ?? asObject(response?.['tollgate']);
    continued = said?.['continued'] ?? continued;
    const delta = {
      'openai-chat': () => asObject(asObject([event['choices']].flat()[0])?.['delta'])?.['content'],
      'anthropic-messages': () => asObject(event['delta'])?.['text'],
      'openai-responses': () => (event['type'] === 'response.output_text.delta' ? event['delta'] : ''),
    }[dialect]();
    if (typeof delta === 'string') text += delta;
    if (event['type'] === 'response.output_text.done') texts.push(String(event['text']));
    if (event['type'] === 'response.completed')
      texts.push(
        JSON.stringify(response?.['output']).includes(JSON.stringify(text)) ? text : 'another output',
      );
  }
  return { texts: [text, ...texts], outputTokens, continued };
}

function describeCase({ id, endpoint, target, plan }: Case): string {
  return `${id}: ${endpoint.path} to ${target.model}, ${JSON.stringify(plan)}`;
}
