import type { KeyRecord } from '@tollgate/db/queries/keys/key-lookup';
import { describe, expect, it } from 'vitest';
import { KeyCache } from './key-cache.ts';

const HASH = 'ab'.repeat(32);
const record = (rest: Partial<KeyRecord> = {}): KeyRecord => ({
  id: 'key_1',
  accountId: 'acct_1',
  name: 'k',
  prefix: 'sk-0000',
  last4: '0000',
  allowedModels: null,
  maxBudgetNanoUsd: null,
  spentNanoUsd: 0n,
  rpm: null,
  tpm: null,
  expiresAt: null,
  createdAt: new Date(0),
  revokedAt: null,
  accountSuspendedAt: null,
  keepsBodies: false,
  keepsResponses: false,
  ownCredentials: null,
  heldNanoUsd: 0n,
  plan: {
    id: 'internal',
    allowedModels: null,
    rpm: null,
    tpm: null,
    ownCredentialPpm: 0,
    pricePpm: 1_000_000,
    isPrepaid: false,
    forwardsUnknown: null,
    countsCacheReads: null,
  },
  balance: { availableNanoUsd: 0n, heldNanoUsd: 0n },
  ...rest,
});

/** A cache over a database that answers when the test allows it. */
function createHarness() {
  let nowMs = 0;
  const reads: { answer: (key: KeyRecord | null) => void; fail: (error: Error) => void }[] = [];
  const state = { isHearing: true };
  const cache = new KeyCache({
    clock: { nowMs: () => nowMs },
    isHearing: () => state.isHearing,
    find: () => new Promise((resolve, reject) => reads.push({ answer: resolve, fail: reject })),
  });
  return { cache, reads, state, turnMs: (ms: number) => (nowMs += ms) };
}

/** Fills the cache with a first read. */
async function fill(harness: ReturnType<typeof createHarness>, key: KeyRecord | null) {
  const found = harness.cache.find(HASH);
  harness.reads.at(-1)?.answer(key);
  await found;
}

describe('KeyCache', () => {
  it('needs memory only for the keys that it has', () => {
    const before = process.memoryUsage().heapUsed;
    const caches = Array.from({ length: 20 }, () => createHarness().cache);
    expect((process.memoryUsage().heapUsed - before) / caches.length).toBeLessThan(100_000);
  });

  it('reads a key once for concurrent lookups, then answers without waiting', async () => {
    const harness = createHarness();
    const first = harness.cache.find(HASH);
    const second = harness.cache.find(HASH);
    expect(harness.reads).toHaveLength(1);
    harness.reads[0]?.answer(record());
    expect([await first, await second]).toMatchObject([{ id: 'key_1' }, { id: 'key_1' }]);
    expect(harness.cache.find(HASH)).toMatchObject({ id: 'key_1' });
  });

  it('caches that a key does not exist, until it is created', async () => {
    const harness = createHarness();
    await fill(harness, null);
    expect(harness.cache.find(HASH)).toBeNull();
    harness.cache.dropKey(HASH);
    expect(harness.cache.find(HASH)).toBeInstanceOf(Promise);
  });

  it('never lets a slow read restore a key that was revoked meanwhile', async () => {
    const harness = createHarness();
    const found = harness.cache.find(HASH);
    harness.cache.dropKey(HASH);
    harness.reads[0]?.answer(record());
    await expect.poll(() => harness.reads.length).toBe(2);
    const revokedAt = new Date(1);
    harness.reads[1]?.answer(record({ revokedAt }));
    expect(await found).toMatchObject({ revokedAt });
    expect(harness.cache.find(HASH)).toMatchObject({ revokedAt });
  });

  it('reads an entry again after a second while changes cannot be received, and after a minute otherwise', async () => {
    const harness = createHarness();
    await fill(harness, record());
    harness.turnMs(59_999);
    expect(harness.cache.find(HASH)).not.toBeInstanceOf(Promise);
    harness.state.isHearing = false;
    expect(harness.cache.find(HASH)).toBeInstanceOf(Promise);
    harness.reads.at(-1)?.answer(record());
    await harness.cache.find(HASH);
    harness.turnMs(999);
    expect(harness.cache.find(HASH)).not.toBeInstanceOf(Promise);
    harness.turnMs(1);
    expect(harness.cache.find(HASH)).toBeInstanceOf(Promise);
  });

  it('drops the keys of an account, and all keys after a gap', async () => {
    const harness = createHarness();
    await fill(harness, record());
    harness.cache.dropAccount('acct_2');
    expect(harness.cache.find(HASH)).not.toBeInstanceOf(Promise);
    harness.cache.dropAccount('acct_1');
    await fill(harness, record());
    harness.cache.dropAll();
    expect(harness.cache.find(HASH)).toBeInstanceOf(Promise);
  });

  it('serves a recently cached key while the database does not answer, and no unknown one', async () => {
    const harness = createHarness();
    await fill(harness, record());
    harness.state.isHearing = false;
    harness.turnMs(30_000);
    const found = harness.cache.find(HASH);
    harness.reads.at(-1)?.fail(new Error('no database'));
    expect(await found).toMatchObject({ id: 'key_1' });
    const reads = harness.reads.length;
    expect(harness.cache.find(HASH)).toMatchObject({ id: 'key_1' });
    expect(harness.reads).toHaveLength(reads);
    harness.turnMs(30_000);
    const late = harness.cache.find(HASH);
    harness.reads.at(-1)?.fail(new Error('no database'));
    await expect(late).rejects.toThrow('no database');
    const unknown = harness.cache.find('00');
    harness.reads.at(-1)?.fail(new Error('no database'));
    await expect(unknown).rejects.toThrow('no database');
  });

  it('does not serve a changed key while the database does not answer', async () => {
    const harness = createHarness();
    await fill(harness, record());
    harness.cache.dropKey(HASH);
    const found = harness.cache.find(HASH);
    harness.reads.at(-1)?.fail(new Error('no database'));
    await expect(found).rejects.toThrow('no database');
  });

  it('does not cache a failed read', async () => {
    const harness = createHarness();
    const found = harness.cache.find(HASH);
    harness.reads[0]?.fail(new Error('no database'));
    await expect(found).rejects.toThrow('no database');
    await fill(harness, record());
    expect(harness.cache.find(HASH)).toMatchObject({ id: 'key_1' });
  });
});
