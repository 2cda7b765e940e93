import { Buffer } from 'node:buffer';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MODEL, startGateway } from '../gateway-fixture.ts';

const gateway = await startGateway();
const { provider, baseUrl } = gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => provider.reset());

const DEEP = 20_000;
const nested = (opening: string, closing: string) => opening.repeat(DEEP) + closing.repeat(DEEP);
const message = (content: string) =>
  Buffer.from(
    `{"id":"m","type":"message","role":"assistant","model":"m","stop_reason":"end_turn","content":[${content}],"usage":{"input_tokens":1,"output_tokens":1}}`,
  );
const THINKING = message(nested('{"type":"thinking","thinking":[', ']}'));
const RESULT = message(`{"type":"web_search_tool_result","tool_use_id":"t","content":${nested('[', ']')}}`);

describe('a response that is nested deeper than the stack', () => {
  it.each([
    ['whole, thinking', { replay: { body: THINKING, contentType: 'application/json' } }],
    ['whole, a tool result', { replay: { body: RESULT, contentType: 'application/json' } }],
    [
      'broken off, thinking',
      { replay: { body: THINKING, contentType: 'application/json' }, cutAfterBytes: 60_000 },
    ],
    [
      'broken off, a tool result',
      { replay: { body: RESULT, contentType: 'application/json' }, cutAfterBytes: 15_000 },
    ],
  ])('is settled, and leaves no hold: %s', async (_name, script) => {
    const { secret, keyId } = await gateway.createKey({ maxBudgetUsd: '1' });
    provider.always(script);
    const response = await fetch(`${baseUrl}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: MODEL, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] }),
      signal: AbortSignal.timeout(30_000),
    });
    await response.arrayBuffer();
    await expect
      .poll(async () => {
        const rows = await gateway.database.db.sql<{ state: string }[]>`
          SELECT state::text FROM requests WHERE key_id = ${keyId}`;
        return rows.map(({ state }) => state);
      })
      .toEqual(['settled']);
  });
});
