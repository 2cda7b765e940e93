import type { Script } from '@tollgate/testing/fake-provider/script';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startStrategyGateway } from './strategy-gateway.ts';

const gateway = await startStrategyGateway();
const { first, second, addModel, ask, findRecord } = gateway;

afterEach(() => {
  first.reset();
  second.reset();
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe('a model whose routes are chosen by the lowest price', () => {
  const LONG = 'word '.repeat(5_000);

  it('uses the cheaper provider, and bills the price of the model', async () => {
    const model = await addModel('lowest-price', [1_500_000, 500_000]);
    const asked = [await ask(model), await ask(model), await ask(model)];
    expect([first.requests.length, second.requests.length]).toEqual([0, 3]);
    const record = await findRecord(asked[0] ?? (await ask(model)));
    expect(record.choice).toMatch(/^price [1-9]\d*$/);
    const same = await addModel('weighted');
    expect((await findRecord(await ask(same))).cost).toBe(record.cost);
  });

  it('stays at a provider whose prompt cache has the session, although another one has a lower price', async () => {
    const model = await addModel('lowest-price', [1_000_000, 900_000]);
    const usage = { cacheWriteTokens: 0, cacheWrite1hTokens: 0, outputTokens: 2 };
    const cached: Script = {
      answer: { text: 'Done.', usage: { ...usage, inputTokens: 100, cacheReadTokens: 4_900 } },
    };
    // The session moves because the cheaper provider fails once.
    second.next({ error: { status: 503 } });
    await ask(model, { session: 's', text: LONG });
    first.always(cached);
    second.always(cached);
    for (let turn = 0; turn < 3; turn += 1) await ask(model, { session: 's', text: LONG });
    expect([first.requests.length, second.requests.length]).toEqual([4, 1]);
    await ask(model, { session: 'another', text: LONG });
    expect(second.requests).toHaveLength(2);
  });
});

describe('a model whose routes are chosen by the remaining rate limits', () => {
  const withRemaining = (remaining: number): Script => ({
    replay: {
      body: JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
      }),
      headers: {
        'x-ratelimit-limit-requests': '100',
        'x-ratelimit-remaining-requests': String(remaining),
        'x-ratelimit-reset-requests': '10m',
      },
    },
  });

  it('uses the provider with the most left', async () => {
    const model = await addModel('usage-based');
    first.always(withRemaining(30));
    second.always(withRemaining(80));
    // Until both have responded, nothing is known of one of them.
    for (let each = 0; each < 10; each += 1) await ask(model);
    const before = [first.requests.length, second.requests.length];
    expect(before[0]).toBeLessThanOrEqual(1);
    second.always(withRemaining(10));
    await ask(model);
    const record = await findRecord(await ask(model));
    expect(record).toMatchObject({ provider: 'first', choice: expect.stringMatching(/^usage \d+$/) });
  });
});

describe('a model whose routes are chosen by the lowest latency', () => {
  it.each([true, false])(
    'uses the faster provider, and says what was expected: stream %s',
    async (stream) => {
      const model = await addModel('lowest-latency');
      first.always({ headersDelayMs: 150 });
      second.always({ headersDelayMs: 5 });
      const asked = [];
      for (let each = 0; each < 12; each += 1) asked.push(await ask(model, { stream }));
      expect(second.requests.length).toBeGreaterThanOrEqual(9);
      const choices = await Promise.all(asked.map(async (each) => (await findRecord(each)).choice));
      expect(choices).toContain('latency probe');
      // Some measure the other one.
      expect(choices.slice(-4)).toContainEqual(expect.stringMatching(/^latency \d+$/));
    },
  );

  it('leaves a provider that fails', async () => {
    const model = await addModel('lowest-latency');
    for (let each = 0; each < 4; each += 1) await ask(model);
    first.reset();
    first.always({ error: { status: 503 } });
    for (let each = 0; each < 12; each += 1) await ask(model);
    expect(first.requests.length).toBeLessThanOrEqual(2);
  });

  it('is still used by others if it fails only for what one account sends', async () => {
    const model = await addModel('lowest-latency');
    first.always({ headersDelayMs: 5 });
    second.always({ headersDelayMs: 300 });
    for (let each = 0; each < 6; each += 1) await ask(model);
    first.always({ error: { status: 500 } });
    for (let each = 0; each < 3; each += 1) await ask(model, { isOther: true });
    first.reset();
    second.reset();
    first.always({ headersDelayMs: 5 });
    second.always({ headersDelayMs: 300 });
    for (let each = 0; each < 8; each += 1) await ask(model);
    expect(first.requests.length).toBeGreaterThanOrEqual(6);
  });
});
