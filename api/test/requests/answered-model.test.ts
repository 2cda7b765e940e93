import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, PRICES } from '../gateway-fixture.ts';
import { TESTED_ENDPOINTS, type TestedEndpoint } from '../tested-endpoints.ts';

const MODEL = 'public-name';
const UPSTREAM = 'upstream-name';
const HEADER = 'x-tollgate-requested-model';

const harness = await createHarness();
for (const dialect of ['openai-chat', 'anthropic-messages'] as const)
  await ensureBuiltIn(harness.database.db, {
    name: `named-${dialect}`,
    dialect,
    baseUrl: `${harness.provider.origin}/v1`,
    credentialEnv: null,
    preset: null,
    models: [{ id: `${MODEL}-${dialect}`, upstreamModel: UPSTREAM, facts: {}, prices: PRICES }],
  });
const api = await startTestApi({ db: harness.database.db, runtime: 'node' });
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

function ask(endpoint: TestedEndpoint, model: string, stream: boolean): Promise<Response> {
  const said = { role: 'user', content: 'Hello.' };
  const body =
    endpoint.dialect === 'openai-responses' ? { input: [said] } : { messages: [said], max_tokens: 50 };
  return fetch(api.baseUrl + endpoint.path, {
    method: 'POST',
    headers: endpoint.headers(harness.secret),
    body: JSON.stringify({ model, ...body, stream }),
  });
}

const cells = TESTED_ENDPOINTS.flatMap((endpoint) =>
  (['openai-chat', 'anthropic-messages'] as const).flatMap((from) =>
    [true, false].map((stream) => ({ endpoint, from, to: endpoint.dialect, stream })),
  ),
);

describe.each(cells)('a response of $from to $to, streamed: $stream', ({ endpoint, from, stream }) => {
  it('names the model that answered, and on messages the requested one in a header', async () => {
    const model = `${MODEL}-${from}`;
    const response = await ask(endpoint, model, stream);
    const text = await response.text();
    const names = [...text.matchAll(/"model": ?"([^"]*)"/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set([UPSTREAM]));
    expect(response.headers.get(HEADER)).toBe(endpoint.dialect === 'anthropic-messages' ? model : null);
  });
});
