/** Tools that a conversation declares outside of `tools`. */
import { ensureBuiltIn } from '@tollgate/db/queries/catalogue/built-ins';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, PRICES } from '../gateway-fixture.ts';

const OTHER = 'other-model';
const RESPONDER = 'responder';
const harness = await createHarness([MODEL, OTHER]);
const { provider, database } = harness;
await ensureBuiltIn(database.db, {
  name: 'responses',
  dialect: 'openai-responses',
  baseUrl: `${provider.origin}/v1`,
  credentialEnv: null,
  preset: null,
  models: [{ id: RESPONDER, upstreamModel: null, facts: {}, prices: PRICES }],
});
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

const advisor = { type: 'advisor_20260301', name: 'advisor', model: OTHER };
it.each([
  ['Tool', { Tool: { type: 'tool_definition', definition: advisor } }],
  ['Definition', { tool: { type: 'tool_definition', Definition: advisor } }],
  [
    'Type',
    {
      tool: {
        type: 'tool_definition',
        definition: { type: 'custom', name: 'a', input_schema: {}, Type: advisor.type },
      },
    },
  ],
])('a message cannot define a tool by %s, which only some readers know', async (name, change) => {
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'system', content: [{ type: 'tool_addition', ...change }] },
  ];
  const body = { model: MODEL, max_tokens: 10, messages };
  const response = await post(`${api.baseUrl}/messages`, body, { secret: harness.secret });
  expect(response.status).toBe(400);
  expect((await readJson<ErrorBody>(response)).error.message).toContain(name);
  expect(provider.requests).toEqual([]);
});

it('the input of a tool can have any names', async () => {
  const input = { tool: { Name: 'a', name: 'b' }, definition: { Type: 1, type: 2 }, Tool: 3 };
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'a', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Done' }] },
  ];
  const tools = [
    {
      name: 'a',
      input_schema: { type: 'object', properties: { definition: { Type: 'x', type: 'object' } } },
    },
  ];
  const body = { model: MODEL, max_tokens: 10, messages, tools };
  const response = await post(`${api.baseUrl}/messages`, body, { secret: harness.secret });
  expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
});

it('a conversation can repeat the tools that an MCP server listed', async () => {
  const tools = [{ name: 'search', description: 'Searches', input_schema: { type: 'object' } }];
  const input = [
    { role: 'user', content: 'Hi' },
    { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'docs', tools },
    { role: 'user', content: 'Thanks' },
  ];
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }];
  const answer = { id: 'r', object: 'response', status: 'completed', output, usage };
  provider.next({ replay: { body: JSON.stringify(answer), contentType: 'application/json' } });
  const response = await post(
    `${api.baseUrl}/responses`,
    { model: RESPONDER, input },
    { secret: harness.secret },
  );
  expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
});
