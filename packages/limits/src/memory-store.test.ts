import { expect, it } from 'vitest';
import { describeLimitStore } from './limit-store.contract.ts';
import { MemoryLimitStore } from './memory-store.ts';

function openMemory() {
  let nowMs = 1_700_000_000_000;
  const store = new MemoryLimitStore({ nowMs: () => nowMs });
  return {
    store,
    turnMs: (ms: number) => {
      nowMs += ms;
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

describeLimitStore('memory', () => Promise.resolve(openMemory()));

const ACCOUNT = { accountId: 'acct', account: { rpm: null, tpm: null } };

it('continues if the clock is set back', () => {
  const { store, turnMs } = openMemory();
  const request = { ...ACCOUNT, keyId: 'key', key: { rpm: 1, tpm: null }, tokens: 0 };
  expect(store.take(request).ok).toBe(true);
  turnMs(-3_600_000);
  expect(store.take(request)).toMatchObject({ ok: false, retryAfterMs: 60_000 });
  turnMs(60_000);
  expect(store.take(request).ok).toBe(true);
});

it('evicts unused owners', () => {
  const { store, turnMs } = openMemory();
  for (let key = 0; key < 50_000; key++) {
    turnMs(100);
    const decision = store.take({ ...ACCOUNT, keyId: `key${key}`, key: { rpm: 5, tpm: 10 }, tokens: 10 });
    if (decision.ok && key % 10 === 0) store.trueUp(decision.ticket, 15);
  }
  expect(store.owners).toBeLessThan(2000);
});

it('keeps at most the maximum number of owners', () => {
  let nowMs = 0;
  const store = new MemoryLimitStore({ nowMs: () => nowMs++ / 1000 }, { maxOwners: 100 });
  for (let key = 0; key < 1000; key++)
    store.take({ ...ACCOUNT, keyId: `key${key}`, key: { rpm: 5, tpm: null }, tokens: 0 });
  expect(store.owners).toBe(100);
});

it('is read without adding or evicting owners', () => {
  const store = new MemoryLimitStore({ nowMs: () => 0 }, { maxOwners: 1 });
  const request = { ...ACCOUNT, keyId: 'used', key: { rpm: 5, tpm: null }, tokens: 0 };
  store.take(request);
  const unused = { requests: { limit: 5, remaining: 5, resetMs: 0 }, tokens: null };
  expect(store.peek({ ...request, keyId: 'unused' })).toEqual({
    key: unused,
    account: { requests: null, tokens: null },
  });
  expect(store.owners).toBe(1);
  expect(store.peek(request)).toMatchObject({ key: { requests: { remaining: 4 } } });
});

it('counts invalid token numbers as 0', () => {
  const { store } = openMemory();
  const request = { ...ACCOUNT, keyId: 'key', key: { rpm: null, tpm: 10 }, tokens: Number.NaN };
  const decision = store.take(request);
  if (decision.ok) store.trueUp(decision.ticket, -5);
  expect(store.peek(request)).toMatchObject({ key: { tokens: { remaining: 10 } } });
});
