import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { asObject, parseJsonObject } from '@tollgate/dialects/json/parse-object';
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { findParamProblem } from '@tollgate/testing/bad-input/check-param';
import { createMutator, type Mutant } from '@tollgate/testing/bad-input/mutate-body';
import { VALID_BODIES } from '@tollgate/testing/bad-input/valid-bodies';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES } from '../gateway-fixture.ts';
import { TESTED_ENDPOINTS, type TestedEndpoint } from '../tested-endpoints.ts';

/** Models per endpoint whose providers speak its own dialect or the other one, or are built in. */
const MUTANTS = Number(process.env.BAD_INPUT_MUTANTS ?? 200);
const WEB_MUTANTS = MUTANTS / 5;
/** The first of them warm up the process, and do not count towards its memory. */
const WARM_UP = Math.min(MUTANTS / 2, 1_000);
const SEED = 1_120;
const AT_ONCE = 8;
/** Far more than any needs: only a request without an answer exceeds it. */
const ANSWERED_WITHIN_MS = 60_000;
/** Heap limit after a collection: it may include the last large bodies of up to 8 MiB each. */
const MAX_HEAP_GROWTH_MIB = 96;
/** The allocator keeps pages of the largest bodies; several are read at the same time. */
const MAX_RSS_GROWTH_MIB = 128;

const PROVIDERS = ['openai-chat', 'anthropic-messages', 'demo'] as const;

const harness = await createHarness([]);
for (const dialect of PROVIDERS) {
  await ensureBuiltIn(harness.database.db, {
    name: `only-${dialect}`,
    dialect,
    baseUrl: dialect === 'demo' ? null : `${harness.provider.origin}/v1`,
    credentialEnv: null,
    preset: null,
    models: [{ id: `model-of-${dialect}`, upstreamModel: null, facts: {}, prices: PRICES }],
  });
}
const apis: Record<'node' | 'web', TestApi> = {
  node: await startTestApi({ db: harness.database.db, runtime: 'node' }),
  web: await startTestApi({ db: harness.database.db, runtime: 'web' }),
};
const report: string[] = [];
afterAll(async () => {
  process.stdout.write(`${report.join('\n')}\n`);
  await apis.node.close();
  await apis.web.close();
  await harness[Symbol.asyncDispose]();
});

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

function memoryMiB(): { rss: number; heap: number } {
  harness.provider.reset();
  collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss: rss / 2 ** 20, heap: (heapUsed + external) / 2 ** 20 };
}

/** The problems of a response to a mutant. */
async function findProblems(endpoint: TestedEndpoint, response: Response, mutant: Mutant): Promise<string[]> {
  const text = await response.text();
  // The fake provider accepts anything, and sends valid responses.
  if (response.status === 200) return [];
  if (response.status < 400 || response.status > 499) return [`status ${response.status}: ${text}`];
  const body = parseJsonObject(text);
  const problems = endpoint.checkError(body);
  if (body === null || problems.length > 0) return problems;
  const error = asObject(body['error']) ?? {};
  if (/\bat \S+:\d+|node_modules|\.ts\b/.test(String(error['message'])))
    problems.push('the message shows code');
  const sent = parseJsonObject(mutant.body.toString('utf8'));
  if (endpoint.dialect === 'anthropic-messages') {
    if (body['request_id'] !== response.headers.get('request-id')) problems.push('another request_id');
  } else if (sent !== null && error['code'] !== 'invalid_json') {
    const problem = findParamProblem(typeof error['param'] === 'string' ? error['param'] : null, sent);
    if (problem !== null) problems.push(`${problem}: ${String(error['message'])}`);
  }
  return problems;
}

async function send(api: TestApi, endpoint: TestedEndpoint, mutant: Mutant) {
  const response = await fetch(api.baseUrl + endpoint.path, {
    method: 'POST',
    headers: endpoint.headers(harness.secret),
    body: new Uint8Array(mutant.body),
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  });
  return { status: response.status, problems: await findProblems(endpoint, response, mutant) };
}

interface Run {
  api: TestApi;
  endpoint: TestedEndpoint;
  count: number;
  seed: number;
}

async function sendMutants({ api, endpoint, count, seed }: Run) {
  const mutator = createMutator(seed, VALID_BODIES[endpoint.dialect], 250);
  const statuses = new Map<number, number>();
  const problems: string[] = [];
  let slowestMs = 0;
  let drawn = 0;
  const work = async () => {
    while (drawn < count) {
      drawn += 1;
      const dialect = PROVIDERS[drawn % PROVIDERS.length] ?? 'demo';
      const mutant = mutator.next(`model-of-${dialect}`);
      const startMs = performance.now();
      const answer = await send(api, endpoint, mutant).catch((error: unknown) => ({
        status: 0,
        problems: [`no answer: ${String(error)}`],
      }));
      slowestMs = Math.max(slowestMs, performance.now() - startMs);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      for (const problem of answer.problems)
        problems.push(`${dialect}: ${problem} (${mutant.mutations.join('; ')})`);
      if (drawn % 250 === 0) harness.provider.reset();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { statuses, problems, slowestMs };
}

describe.each(TESTED_ENDPOINTS)('invalid bodies on $path', (endpoint) => {
  it.each(PROVIDERS)('are derived from valid ones: %s answers them all', async (dialect) => {
    for (const valid of VALID_BODIES[endpoint.dialect]) {
      const body = Buffer.from(JSON.stringify({ model: `model-of-${dialect}`, ...valid }));
      expect(await send(apis.node, endpoint, { body, mutations: [] })).toEqual({ status: 200, problems: [] });
    }
  });

  it(`are refused by name or answered, ${MUTANTS} of them, and leave nothing behind`, async () => {
    const api = apis.node;
    const first = await sendMutants({ api, endpoint, count: WARM_UP, seed: SEED + 1 });
    const before = memoryMiB();
    const others = await sendMutants({ api, endpoint, count: MUTANTS - WARM_UP, seed: SEED });
    const after = memoryMiB();
    const count = (status: number) => (first.statuses.get(status) ?? 0) + (others.statuses.get(status) ?? 0);
    const statuses = [...new Set([...first.statuses.keys(), ...others.statuses.keys()])];
    report.push(
      `${endpoint.path}: ${MUTANTS} mutants, by status ${JSON.stringify(Object.fromEntries(statuses.map((status) => [status, count(status)])))}, ` +
        `slowest ${Math.round(Math.max(first.slowestMs, others.slowestMs))} ms, RSS ${Math.round(before.rss)} to ${Math.round(after.rss)} MiB, ` +
        `heap ${Math.round(before.heap)} to ${Math.round(after.heap)} MiB`,
    );
    expect([...first.problems, ...others.problems]).toEqual([]);
    expect(count(400)).toBeGreaterThan(MUTANTS / 5);
    expect(count(200)).toBeGreaterThan(MUTANTS / 10);
    expect(after.rss - before.rss).toBeLessThan(MAX_RSS_GROWTH_MIB);
    expect(after.heap - before.heap).toBeLessThan(MAX_HEAP_GROWTH_MIB);
  }, 300_000);

  it('are refused alike on the web-standard runtime', async () => {
    const { problems } = await sendMutants({ api: apis.web, endpoint, count: WEB_MUTANTS, seed: SEED + 2 });
    expect(problems).toEqual([]);
  }, 120_000);
});

it('no prototype was polluted', () => {
  expect(Reflect.ownKeys(Object.prototype)).not.toContain('polluted');
});
