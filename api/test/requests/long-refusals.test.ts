import { creditBalance } from '@tollgate/testing/credit-balance';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, describe, expect, it } from 'vitest';
import { MODEL, startGateway } from '../gateway-fixture.ts';

const LONG = 'x'.repeat(1_000_000);
/** A message shows what it is about, not a megabyte of it. */
const MAX_CHARACTERS = 10_000;

const gateway = await startGateway();
afterAll(() => gateway[Symbol.asyncDispose]());

const { db } = gateway.database;
const { accountId } = await createAccountFixture(db, { planId: 'standard' });
await creditBalance(db, { accountId, amountNanoUsd: 1_000_000_000_000n });
const { secret } = await createKeyFixture(db, accountId);

describe('the refusal of a request', () => {
  it.each<[string, object]>([
    ['a service tier', { service_tier: LONG }],
    ['the type of a tool', { tools: [{ type: LONG }] }],
  ])('does not repeat the whole of %s', async (_, member) => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const response = await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, max_tokens: 5, messages, ...member }),
    });
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(MAX_CHARACTERS);
  });
});
