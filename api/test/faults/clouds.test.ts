import { createSealer } from '@tollgate/auth/seal';
import { sumUsage } from '@tollgate/db/queries/usage/usage';
import { putModel } from '@tollgate/db/queries/models/models';
import { addProvider } from '@tollgate/db/queries/providers/providers';
import { addRoute } from '@tollgate/db/queries/catalogue/routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createFakeBedrock, type FakeBedrock } from './fake-bedrock.ts';
import { createHarness, MODEL, PRICES, type Harness } from '../gateway-fixture.ts';
import { waitForSpend } from '../chaos/wait-for-spend.ts';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const ENCRYPTION_KEY = 'MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
const UPSTREAM_MODEL = 'us.anthropic.claude-v1:0';

describe.each(['node', 'web'] as const)('on %s, Claude on Bedrock', (runtime) => {
  let harness: Harness;
  let bedrock: FakeBedrock;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness([MODEL, UPSTREAM_MODEL]);
    bedrock = await createFakeBedrock(harness.provider.origin, SECRET);
    await addBedrock('cloud', SECRET);
    await addBedrock('cloud-wrong', 'another secret');
    api = await startTestApi({ db: harness.database.db, runtime, encryptionKey: ENCRYPTION_KEY });
  });
  afterAll(async () => {
    await api.close();
    bedrock.close();
    await harness[Symbol.asyncDispose]();
  });

  /** A model with this name, served only by Bedrock. */
  async function addBedrock(name: string, secretAccessKey: string): Promise<void> {
    const { db } = harness.database;
    const keys = {
      kind: 'aws',
      accessKeyId: 'AKIDEXAMPLE12345',
      secretAccessKey,
      sessionToken: null,
      headers: {},
    };
    await addProvider(db, {
      id: `prov_${name}`,
      name,
      dialect: 'anthropic-messages',
      preset: 'bedrock-anthropic',
      baseUrl: bedrock.origin,
      settings: { region: 'us-east-1' },
      credentialSealed: createSealer(ENCRYPTION_KEY).seal(JSON.stringify(keys), `provider:prov_${name}`),
    });
    await putModel(db, { id: name, facts: {}, prices: PRICES, now: new Date(0) });
    const route = {
      modelId: name,
      providerName: name,
      upstreamModel: UPSTREAM_MODEL,
      priority: 0,
      weight: 1,
    };
    expect(await addRoute(db, route)).toMatchObject({ ok: true });
  }

  const ask = (path: string, model: string, stream: boolean, secret = harness.secret) =>
    post(
      `${api.baseUrl}${path}`,
      { model, stream, max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] },
      { secret },
    );

  it('streams the same bytes as the same model at Anthropic', async () => {
    const [direct, cloud] = await Promise.all([
      ask('/messages', UPSTREAM_MODEL, true),
      ask('/messages', 'cloud', true),
    ]);
    expect(cloud.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(await cloud.text()).toBe(await direct.text());
  });

  it('returns a whole response', async () => {
    const [direct, cloud] = await Promise.all([
      readJson<object>(ask('/messages', UPSTREAM_MODEL, false)),
      readJson<object>(ask('/messages', 'cloud', false)),
    ]);
    expect(cloud).toEqual(direct);
  });

  it('responds in the other dialect', async () => {
    const stream = await (await ask('/chat/completions', 'cloud', true)).text();
    expect(stream).toContain('data: [DONE]');
    const whole = await readJson<{ choices: { message: { content: string } }[] }>(
      ask('/chat/completions', 'cloud', false),
    );
    expect(whole.choices[0]?.message.content).toContain(UPSTREAM_MODEL);
  });

  it('is billed by its reported usage', async () => {
    const spent = async (model: string) => {
      const { keyId, secret } = await harness.createKey();
      await (await ask('/messages', model, true, secret)).text();
      await waitForSpend(harness, keyId);
      return sumUsage(harness.database.db, { accountId: null, keyId, since: null });
    };
    expect(await spent('cloud')).toEqual(await spent(UPSTREAM_MODEL));
  });

  it('does not reveal a credential that cannot sign', async () => {
    const response = await ask('/messages', 'cloud-wrong', true);
    expect(response.status).toBe(502);
    const text = await response.text();
    expect(text).not.toMatch(/AKIDEXAMPLE|signature/);
    expect((JSON.parse(text) as ErrorBody).error.type).toBe('api_error');
  });

  it("passes on the model's refusals in the caller's dialect", async () => {
    harness.provider.next({ error: { status: 400 } });
    const response = await ask('/messages', 'cloud', true);
    expect(response.status).toBe(400);
    expect(await readJson<ErrorBody>(response)).toMatchObject({ error: { type: 'invalid_request_error' } });
  });
});
