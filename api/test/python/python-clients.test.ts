import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { keepStored } from '@tollgate/db/queries/retention/retention-setting';
import { revokeKey } from '@tollgate/db/queries/keys/keys';
import { getWeatherScript } from '@tollgate/testing/coding-model/weather-job';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { MODEL } from '../gateway-fixture.ts';
import {
  CHAT,
  CLAUDE,
  CLAUDE_ALIAS,
  getProviderBill,
  RESPONSES,
  RESPONSES_ALIAS,
  startCodingHarness,
  type CodingHarness,
} from '../agents/clis/coding-harness.ts';
import { createPythonMatrix, type PythonRequests } from './python-matrix.ts';
import { isPythonMissing, runPython, type PythonSet } from './run-python.ts';

const ALL = [CHAT, RESPONSES, CLAUDE, RESPONSES_ALIAS, CLAUDE_ALIAS];
/** One behind each API; frameworks are slow. */
const SOME = [CHAT, RESPONSES_ALIAS, CLAUDE];
/** The clients of each set of pinned packages, their models, and the number of their checks. */
const CLIENTS = [
  ['newest', 'openai_sdk', ALL, 45],
  ['newest', 'anthropic_sdk', ALL, 35],
  ['newest', 'openai_agents', SOME, 26],
  ['newest', 'pydantic_ai_client', SOME, 39],
  ['newest', 'langchain_client', SOME, 49],
  ['newest', 'agno_client', SOME, 36],
  ['newest', 'smolagents_client', SOME, 10],
  ['older', 'openai_sdk', ALL, 45],
  ['older', 'anthropic_sdk', ALL, 35],
  ['older', 'instructor_client', SOME, 9],
  ['older', 'litellm_client', SOME, 24],
  ['older', 'llama_index_client', SOME, 12],
] as const;
const LIMIT_MS = 200_000;

interface CheckResult {
  check: string;
  model: string;
  seconds: number;
  error: string | null;
}

describe.skipIf(isPythonMissing)('a Python client', { timeout: LIMIT_MS + 10_000 }, () => {
  const matrix = createPythonMatrix();
  let harness: CodingHarness;
  let keys: Record<string, string>;
  beforeAll(async () => {
    harness = await startCodingHarness({ getScript: getWeatherScript });
    keys = await createKeys(harness);
  });
  afterAll(async () => {
    await harness[Symbol.asyncDispose]();
    if (process.env.UPDATE_MATRIX === '1') matrix.save();
  });

  it.concurrent.for(CLIENTS)('passes all checks: %s %s', async ([set, client, models, count], { expect }) => {
    const { accountId, secret } = await harness.openAccount();
    const results = await runClient(set, client, {
      KEYS: JSON.stringify({ ...keys, good: secret }),
      MODELS: JSON.stringify(models),
    });
    const failed = results.filter(({ error }) => error !== null);
    expect(failed).toEqual([]);
    expect(results).toHaveLength(count);
    expect((await harness.readBills(accountId)).every(({ cost }) => cost > 0n)).toBe(true);
    matrix.add(set, client, await listAnswered(harness, accountId));
    const seconds = results.reduce((sum, each) => sum + each.seconds, 0);
    process.stdout.write(`${set} ${client}: ${results.length} checks in ${seconds.toFixed(1)} s\n`);
  });

  it('passes all checks of stored state', async () => {
    const { db } = harness.database;
    const { accountId, secret } = await harness.openAccount();
    const setting = { accountId, actorUserId: null, retentionDays: 7, now: new Date(0) };
    await keepStored(db, 'responses', setting);
    const results = await runClient('newest', 'openai_state', {
      KEYS: JSON.stringify({ ...keys, good: secret }),
      MODELS: JSON.stringify(SOME),
    });
    expect(results.filter(({ error }) => error !== null)).toEqual([]);
    expect(results).toHaveLength(4 * SOME.length);
  });

  it('was never refused by a provider, and paid exactly what the providers metered', async () => {
    expect(harness.model.refusals.map(({ message }) => message)).toEqual([]);
    await harness.api.deps.ledger.flush();
    const [row] = await harness.database.db.sql<{ cost: bigint }[]>`
      SELECT coalesce(sum(cost_nano_usd), 0)::bigint AS cost FROM requests`;
    expect(row?.cost).toBe(getProviderBill(harness.provider.requests));
    expect(row?.cost).toBeGreaterThan(0n);
  });

  it("runs the README's example", async () => {
    const readme = await readFile(path.resolve(import.meta.dirname, '../../../README.md'), 'utf8');
    const [, example = ''] = /```python\n(.*?)```/s.exec(readme) ?? [];
    expect(example).toContain('http://127.0.0.1:8787/v1');
    const { secret } = await harness.openAccount();
    // Only the port differs.
    const code = example.replace('http://127.0.0.1:8787/v1', harness.api.baseUrl);
    const { exitCode, stdout, stderr } = await runPython('newest', ['-c', code], {
      env: { SERVICE_API_KEY: secret },
      limitMs: LIMIT_MS,
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.trim().split(' ').length).toBeGreaterThan(3);
  });

  async function runClient(set: PythonSet, client: string, settings: Record<string, string>) {
    const script = path.join(import.meta.dirname, 'clients', `${client}.py`);
    const env = { BASE_URL: harness.api.baseUrl, LITELLM_LOCAL_MODEL_COST_MAP: 'True', ...settings };
    const { exitCode, stdout, stderr } = await runPython(set, ['-B', script], { env, limitMs: LIMIT_MS });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    const lines = stdout.split('\n').filter((line) => line.startsWith('{"check"'));
    return lines.map((line) => JSON.parse(line) as CheckResult);
  }
});

/** The answered requests of an account. The form of the provider's usage shows which of its APIs answered. */
function listAnswered({ database }: CodingHarness, accountId: string): Promise<PythonRequests[]> {
  return database.db.sql<PythonRequests[]>`
    SELECT endpoint, count(*)::int AS requests, CASE
        WHEN raw_usage LIKE '%"prompt_tokens"%' THEN 'openai-chat'
        WHEN raw_usage LIKE '%"input_tokens_details"%' THEN 'openai-responses'
        ELSE 'anthropic-messages'
      END AS provider
    FROM requests WHERE account_id = ${accountId} AND status = 200 AND cost_nano_usd > 0
    GROUP BY 1, 3`;
}

/** Keys that are refused, by reason. */
async function createKeys(harness: CodingHarness): Promise<Record<string, string>> {
  const broke = await harness.openAccount({ maxBudgetUsd: '0.000000001' });
  const narrow = await harness.openAccount({ allowedModels: [MODEL] });
  const busy = await harness.openAccount({ rpm: 1 });
  const body = { model: CHAT, messages: [{ role: 'user', content: 'Hello' }] };
  await (await post(`${harness.api.baseUrl}/chat/completions`, body, { secret: busy.secret })).text();
  const revoked = await harness.openAccount();
  await revokeKey(harness.database.db, { keyId: revoked.keyId, accountId: null, actorUserId: null });
  const unknown = `${revoked.secret.slice(0, -4)}AAAA`;
  return { unknown, revoked: revoked.secret, broke: broke.secret, narrow: narrow.secret, busy: busy.secret };
}
