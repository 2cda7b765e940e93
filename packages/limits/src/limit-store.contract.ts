import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LimitDecision, LimitStore, LimitTicket, TakeRequest, WindowLimits } from './limit-store.ts';

/** A store with a manual clock. */
export interface StoreUnderTest extends AsyncDisposable {
  store: LimitStore;
  turnMs(ms: number): void;
}

const NONE: WindowLimits = { rpm: null, tpm: null };
let ids = 0;

function getRequest(part: Partial<TakeRequest>): TakeRequest {
  return { accountId: 'acct_1', keyId: 'key_1', key: NONE, account: NONE, tokens: 0, ...part };
}

function getTicket(decision: LimitDecision): LimitTicket {
  if (!decision.ok) throw new Error(`expected the request to pass: ${JSON.stringify(decision)}`);
  return decision.ticket;
}

/** Contract tests for limit stores. Each test uses new owners. */
export function describeLimitStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the contract of limit stores: ${name}`, () => {
    let held: StoreUnderTest;
    let owners = { accountId: '', keyId: '' };
    beforeEach(async () => {
      held = await open();
      ids += 1;
      owners = { accountId: `acct_${process.pid}_${ids}`, keyId: `key_${process.pid}_${ids}` };
    });
    afterEach(async () => {
      await held[Symbol.asyncDispose]();
    });
    const take = async (part: Partial<TakeRequest>) => held.store.take(getRequest({ ...owners, ...part }));
    const peek = async (part: Partial<TakeRequest>) => held.store.peek(getRequest({ ...owners, ...part }));
    /** Corrections are not awaited; a later read is queued behind them. */
    const trueUp = (decision: LimitDecision, tokens: number) => {
      held.store.trueUp(getTicket(decision), tokens);
    };

    it('allows RPM requests per window and returns the exact wait for the next one', async () => {
      const key = { rpm: 2, tpm: null };
      expect(await take({ key })).toMatchObject({
        ok: true,
        state: { key: { requests: { limit: 2, remaining: 1, resetMs: 60_000 }, tokens: null } },
      });
      held.turnMs(10_000);
      expect((await take({ key })).ok).toBe(true);
      const refused = { ok: false, kind: 'retry', owner: 'key', limit: 'requests', retryAfterMs: 50_000 };
      expect(await take({ key })).toMatchObject(refused);
      held.turnMs(49_999);
      expect((await take({ key })).ok).toBe(false);
      held.turnMs(1);
      expect((await take({ key })).ok).toBe(true);
      expect(await take({ key })).toMatchObject({ ok: false, retryAfterMs: 10_000 });
    });

    it('reserves tokens and returns the wait until enough are available', async () => {
      const key = { rpm: null, tpm: 100 };
      await take({ key, tokens: 30 });
      held.turnMs(1000);
      await take({ key, tokens: 30 });
      held.turnMs(1000);
      expect(await take({ key, tokens: 40 })).toMatchObject({
        ok: true,
        state: { key: { tokens: { limit: 100, remaining: 0, resetMs: 60_000 } } },
      });
      const refused = { ok: false, kind: 'retry', owner: 'key', limit: 'tokens' };
      expect(await take({ key, tokens: 1 })).toMatchObject({ ...refused, retryAfterMs: 58_000 });
      expect(await take({ key, tokens: 60 })).toMatchObject({ ...refused, retryAfterMs: 59_000 });
      expect(await take({ key, tokens: 61 })).toMatchObject({ ...refused, retryAfterMs: 60_000 });
    });

    it('rejects a request that alone exceeds the tokens per minute', async () => {
      const refused = { ok: false, kind: 'never', limit: 'tokens' };
      const key = { rpm: null, tpm: 100 };
      const account = { rpm: null, tpm: 90 };
      expect(await take({ key, account, tokens: 101 })).toMatchObject({ ...refused, owner: 'key' });
      expect(await take({ key, account, tokens: 91 })).toMatchObject({ ...refused, owner: 'account' });
      expect(await take({ key, account, tokens: 90 })).toMatchObject({ ok: true });
    });

    it('counts a request for both key and account, or for neither', async () => {
      const key = { rpm: 3, tpm: null };
      const account = { rpm: 2, tpm: 100 };
      await take({ key, account, tokens: 60 });
      expect(await take({ key, account, tokens: 60 })).toMatchObject({
        ok: false,
        owner: 'account',
        limit: 'tokens',
        retryAfterMs: 60_000,
        state: { key: { requests: { remaining: 2 } }, account: { requests: { remaining: 1 } } },
      });
      const otherKey = { keyId: `${owners.keyId}_other`, key, account };
      expect((await take({ ...otherKey, tokens: 40 })).ok).toBe(true);
      expect(await take({ key, account })).toMatchObject({ ok: false, owner: 'account', limit: 'requests' });
      expect(await peek({ key, account })).toEqual({
        key: { requests: { limit: 3, remaining: 2, resetMs: 60_000 }, tokens: null },
        account: {
          requests: { limit: 2, remaining: 0, resetMs: 60_000 },
          tokens: { limit: 100, remaining: 0, resetMs: 60_000 },
        },
      });
    });

    it('returns the window with the longest wait', async () => {
      const key = { rpm: 1, tpm: null };
      await take({ key });
      held.turnMs(5000);
      await take({ keyId: `${owners.keyId}_other`, account: { rpm: 1, tpm: null } });
      expect(await take({ key, account: { rpm: 1, tpm: null } })).toMatchObject({
        ok: false,
        owner: 'account',
        retryAfterMs: 60_000,
      });
    });

    it('returns unused tokens at the time of the reservation', async () => {
      const key = { rpm: null, tpm: 100 };
      const first = await take({ key, tokens: 100 });
      held.turnMs(20_000);
      trueUp(first, 40);
      expect(await peek({ key })).toMatchObject({ key: { tokens: { remaining: 60, resetMs: 40_000 } } });
      expect((await take({ key, tokens: 60 })).ok).toBe(true);
      expect(await take({ key, tokens: 40 })).toMatchObject({ ok: false, retryAfterMs: 40_000 });
      trueUp(first, 0);
      expect(await peek({ key })).toMatchObject({ key: { tokens: { remaining: 0 } } });
    });

    it('counts a request without usage, but no tokens', async () => {
      const key = { rpm: 5, tpm: 100 };
      trueUp(await take({ key, tokens: 100 }), 0);
      expect(await peek({ key })).toMatchObject({
        key: { requests: { remaining: 4 }, tokens: { remaining: 100, resetMs: 0 } },
      });
    });

    it('blocks for three windows after an overrun of three windows', async () => {
      const key = { rpm: null, tpm: 100 };
      const first = await take({ key, tokens: 100 });
      held.turnMs(10_000);
      trueUp(first, 400);
      const refused = { ok: false, kind: 'retry', limit: 'tokens' };
      expect(await take({ key, tokens: 100 })).toMatchObject({ ...refused, retryAfterMs: 230_000 });
      held.turnMs(229_999);
      expect(await take({ key, tokens: 1 })).toMatchObject({ ...refused, retryAfterMs: 1 });
      held.turnMs(1);
      expect((await take({ key, tokens: 100 })).ok).toBe(true);
    });

    it('counts an overrun as soon as there is room', async () => {
      const key = { rpm: null, tpm: 100 };
      const first = await take({ key, tokens: 30 });
      held.turnMs(10_000);
      await take({ key, tokens: 50 });
      held.turnMs(10_000);
      // 20 fit now, 30 when the first leaves at 60 s, 15 of the last when the second leaves at 70 s.
      trueUp(first, 95);
      expect(await peek({ key })).toMatchObject({ key: { tokens: { remaining: 0, resetMs: 110_000 } } });
      expect(await take({ key, tokens: 35 })).toMatchObject({ ok: false, retryAfterMs: 50_000 });
      expect(await take({ key, tokens: 36 })).toMatchObject({ ok: false, retryAfterMs: 60_000 });
      held.turnMs(50_000);
      expect((await take({ key, tokens: 35 })).ok).toBe(true);
      expect(await take({ key, tokens: 1 })).toMatchObject({ ok: false, retryAfterMs: 10_000 });
    });

    it('pays a debt with tokens that another request returns', async () => {
      const key = { rpm: null, tpm: 100 };
      const small = await take({ key, tokens: 10 });
      const large = await take({ key, tokens: 90 });
      held.turnMs(1000);
      trueUp(small, 60);
      trueUp(large, 50);
      expect(await peek({ key })).toMatchObject({ key: { tokens: { remaining: 0 } } });
      expect(await take({ key, tokens: 1 })).toMatchObject({ ok: false, retryAfterMs: 59_000 });
      held.turnMs(59_000);
      expect(await peek({ key })).toMatchObject({ key: { tokens: { remaining: 50, resetMs: 60_000 } } });
    });

    it('counts only the overrun if a request ends after its reservation expired', async () => {
      const key = { rpm: null, tpm: 100 };
      const less = await take({ key, tokens: 50 });
      const more = await take({ key, tokens: 50 });
      held.turnMs(60_000);
      await take({ key, tokens: 10 });
      trueUp(less, 10);
      trueUp(more, 80);
      expect(await peek({ key })).toMatchObject({ key: { tokens: { remaining: 60 } } });
    });

    it('keeps keys and accounts apart', async () => {
      const key = { rpm: 1, tpm: null };
      const other = { accountId: `${owners.accountId}_other`, keyId: `${owners.keyId}_other` };
      expect((await take({ key, account: key })).ok).toBe(true);
      expect((await take({ key, account: key, ...other })).ok).toBe(true);
      expect((await take({ key, account: key })).ok).toBe(false);
    });

    it('has no state for owners without limits', async () => {
      const decision = await take({ tokens: 1_000_000 });
      expect(decision).toMatchObject({ ok: true, state: { key: { requests: null, tokens: null } } });
      trueUp(decision, 2_000_000);
      expect(await peek({})).toEqual({
        key: { requests: null, tokens: null },
        account: { requests: null, tokens: null },
      });
    });

    it('has no debt if only requests are limited', async () => {
      const key = { rpm: 3, tpm: null };
      trueUp(await take({ key, tokens: 10 }), 1_000_000);
      expect(await take({ key, tokens: 10 })).toMatchObject({
        ok: true,
        state: { key: { requests: { remaining: 1 }, tokens: null } },
      });
      expect((await take({ key: { rpm: 3, tpm: 10 }, tokens: 10 })).ok).toBe(true);
    });

    it('applies a changed limit to the next request', async () => {
      await take({ key: { rpm: 4, tpm: 100 }, tokens: 80 });
      await take({ key: { rpm: 4, tpm: 100 }, tokens: 20 });
      const lower = await take({ key: { rpm: 2, tpm: 50 }, tokens: 1 });
      expect(lower).toMatchObject({ ok: false, state: { key: { requests: { remaining: 0 } } } });
      expect((await take({ key: { rpm: 4, tpm: 200 }, tokens: 100 })).ok).toBe(true);
    });
  });
}
