import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenUsage } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { sumUsage, type UsageSum } from '@tollgate/db/queries/usage/usage';
import type { FakeDialect, Script, Split } from '@tollgate/testing/fake-provider/script';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyUsage } from './verify-usage.ts';
import { MODEL, PRICES, startGateway } from '../gateway-fixture.ts';

const gateway = await startGateway();
const { provider } = gateway;
type Gateway = typeof gateway;
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => provider.reset());

const DIALECTS: FakeDialect[] = ['openai-chat', 'anthropic-messages'];
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 20;

interface Call {
  dialect: FakeDialect;
  stream: boolean;
  script?: Script;
  /** The caller disconnects after this many bytes. */
  leaveAfterBytes?: number;
}

async function run(secret: string, call: Call, { provider, baseUrl }: Gateway = gateway): Promise<void> {
  const leaving = new AbortController();
  provider.next(call.script ?? {});
  const response = await fetch(
    `${baseUrl}${call.dialect === 'openai-chat' ? '/chat/completions' : '/messages'}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        model: MODEL,
        max_tokens: 1_000,
        messages: [{ role: 'user', content: 'What is the price of this?' }],
        stream: call.stream,
      }),
      signal: leaving.signal,
    },
  );
  let bytes = 0;
  try {
    for await (const piece of response.body ?? []) {
      bytes += piece.length;
      if (call.leaveAfterBytes !== undefined && bytes >= call.leaveAfterBytes) leaving.abort();
    }
  } catch {
    // Expected: the stream was cut or abandoned.
  }
}

/** The records of a key once all its requests are settled. */
async function getBill(keyId: string, requests: number, { database }: Gateway = gateway): Promise<UsageSum> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const bill = await sumUsage(database.db, { accountId: null, keyId, since: null });
    if (bill.requests >= requests || performance.now() > deadlineMs) return bill;
    await sleep(LOOK_EVERY_MS);
  }
}

function servedUsage(): TokenUsage[] {
  return provider.requests.flatMap((record) => record.usage ?? []);
}

describe('the bill', () => {
  it("matches the provider's report, per request and in total", async () => {
    const { keyId, secret } = await gateway.createKey();
    const usages: TokenUsage[] = [
      { inputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, cacheWrite1hTokens: 0, outputTokens: 31 },
      { inputTokens: 1, cacheReadTokens: 700, cacheWriteTokens: 0, cacheWrite1hTokens: 0, outputTokens: 90 },
      { inputTokens: 0, cacheReadTokens: 5, cacheWriteTokens: 0, cacheWrite1hTokens: 0, outputTokens: 12 },
    ];
    const calls = DIALECTS.flatMap((dialect) =>
      [true, false].flatMap((stream) =>
        usages.map((usage): Call => ({ dialect, stream, script: { answer: { words: 30, usage } } })),
      ),
    );
    await Promise.all(calls.map((call) => run(secret, call)));
    const bill = await getBill(keyId, calls.length);
    const served = servedUsage();
    expect(served).toHaveLength(calls.length);
    const sum = (field: Exclude<keyof TokenUsage, 'extras'>) =>
      served.reduce((total, usage) => total + usage[field], 0);
    expect(bill).toMatchObject({
      requests: calls.length,
      errors: 0,
      inputTokens: sum('inputTokens'),
      cacheReadTokens: sum('cacheReadTokens'),
      cacheWriteTokens: sum('cacheWriteTokens'),
      outputTokens: sum('outputTokens'),
      costNanoUsd: served.reduce((total, usage) => total + computeCost(usage, PRICES), 0n),
    });
  });

  it('counts cache writes separately, which only Anthropic reports', async () => {
    const { keyId, secret } = await gateway.createKey();
    const usage = {
      inputTokens: 7,
      cacheReadTokens: 11,
      cacheWriteTokens: 13,
      cacheWrite1hTokens: 0,
      outputTokens: 17,
    };
    for (const stream of [true, false]) {
      await run(secret, { dialect: 'anthropic-messages', stream, script: { answer: { usage } } });
    }
    expect(await getBill(keyId, 2)).toMatchObject({
      cacheWriteTokens: 26,
      cacheWrite1hTokens: 0,
      costNanoUsd: 2n * computeCost(usage, PRICES),
    });
  });

  it.each(DIALECTS)('has one row for each %s request, however it ends', async (dialect) => {
    const { keyId, secret } = await gateway.createKey();
    const calls: Call[] = [
      { dialect, stream: true, script: { cutAfterBytes: 900 } },
      { dialect, stream: true, script: { cutBeforeHeaders: true } },
      { dialect, stream: true, script: { garbage: 100 } },
      { dialect, stream: false, script: { cutAfterBytes: 20 } },
      { dialect, stream: false, script: { error: { status: 400 } } },
      { dialect, stream: true, script: { error: { status: 529 } } },
      { dialect, stream: true, script: { answer: { words: 400 }, intervalMs: 10 }, leaveAfterBytes: 500 },
      { dialect, stream: true },
    ];
    for (const call of calls) await run(secret, call);
    // Two were answered with 200: the last, and the first, which was interrupted afterwards.
    // Two were answered with 200: the last, and the first, which was interrupted after that.
    expect(await getBill(keyId, calls.length)).toMatchObject({
      requests: calls.length,
      errors: calls.length - 2,
    });
    await sleep(200);
    expect((await getBill(keyId, calls.length)).requests).toBe(calls.length);
  });

  const splits: Split[] = ['natural', 'burst', 50];
  const cuts = DIALECTS.flatMap((dialect) => splits.map((split) => ({ dialect, split })));
  it.each(cuts)('charges a cut $dialect stream for what was relayed, split by $split', async (cut) => {
    const { keyId, secret } = await gateway.createKey();
    const script = { answer: { words: 100 }, cutAfterBytes: 9_000, split: cut.split };
    await run(secret, { dialect: cut.dialect, stream: true, script });
    const bill = await getBill(keyId, 1);
    const sent = provider.requests[0]?.outputTokensSent ?? 0;
    expect(sent).toBeGreaterThan(30);
    expectEstimate(bill, sent);
  });

  it.each(DIALECTS)(
    'charges a %s caller that disconnected for what was relayed until then',
    async (dialect) => {
      // A separate gateway: a model's speed learned from the responses of other tests would change the result.
      await using own = await startGateway();
      // A complete response shows that the model has no hidden reasoning.
      const { secret: otherSecret } = await own.createKey();
      await run(
        otherSecret,
        { dialect, stream: true, script: { answer: { words: 200 }, intervalMs: 1 } },
        own,
      );
      own.provider.reset();
      const { keyId, secret } = await own.createKey();
      const script = { answer: { words: 400 }, intervalMs: 5 };
      await run(secret, { dialect, stream: true, script, leaveAfterBytes: 3_000 }, own);
      const bill = await getBill(keyId, 1, own);
      const [record] = own.provider.requests;
      await record?.finished;
      expect(record?.outcome).toBe('aborted');
      expectEstimate(bill, record?.outputTokensSent ?? 0);
    },
  );

  /** Tokens counted from text are only approximate. */
  function expectEstimate(bill: UsageSum, sentTokens: number): void {
    expect(bill.outputTokens).toBeGreaterThanOrEqual(sentTokens / 2);
    expect(bill.outputTokens).toBeLessThanOrEqual(sentTokens * 3);
    expect(bill.costNanoUsd).toBeGreaterThan(0n);
  }
});

it('stored usage reports decode to the billed usage in all of these cases', async () => {
  const { compared = 0, ...rest } = await verifyUsage(gateway.database);
  expect(rest).toEqual({ findings: [], absent: 0, truncated: 0, unreadable: 0 });
  expect(compared).toBeGreaterThan(10);
});
