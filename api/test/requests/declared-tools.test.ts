/** Tools that a conversation declares outside of `tools`. */
import { afterAll, beforeEach, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL } from '../gateway-fixture.ts';

const OTHER = 'other-model';
const harness = await createHarness([MODEL, OTHER]);
const { provider, database } = harness;
const api = await startTestApi({ db: database.db, runtime: 'node' });
beforeEach(() => provider.reset());
afterAll(async () => {
  await api.close();
  await harness[Symbol.asyncDispose]();
});

it('a message cannot define a tool that calls a model outside of the scope', async () => {
  const { secret } = await harness.createKey({ allowedModels: [MODEL] });
  const definition = { type: 'advisor_20260301', name: 'advisor', model: OTHER };
  const change = { type: 'tool_addition', tool: { type: 'tool_definition', definition } };
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'system', content: [change] },
  ];
  const headers = { 'anthropic-beta': 'inline-tools-2026-09-15' };
  const body = { model: MODEL, max_tokens: 10, messages };
  const response = await post(`${api.baseUrl}/messages`, body, { secret, headers });
  expect(response.status).toBe(403);
  expect((await readJson<ErrorBody>(response)).error.message).toContain(OTHER);
  expect(provider.requests).toEqual([]);
});
