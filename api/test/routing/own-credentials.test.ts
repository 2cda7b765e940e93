import { addRoute } from '@tollgate/db/queries/catalogue/routes';
import { putFallbackModel } from '@tollgate/db/queries/models/fallback-models';
import { putModel } from '@tollgate/db/queries/models/models';
import { addPlan, setAccountPlan } from '@tollgate/db/queries/plans/plans';
import { encodePlanTerms } from '@tollgate/db/queries/plans/plan-terms';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { readProviderHealth } from '@tollgate/db/queries/operator/provider-health';
import { sumRequests } from '@tollgate/db/queries/usage/providers/sum-requests';
import { parseUsd } from '@tollgate/core/money/money';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { describe, expect, it, vi } from 'vitest';
import { post } from '../../src/testing/call-api.ts';
import { PRICES } from '../gateway-fixture.ts';
import { attachOwn } from '../own-credential-fixture.ts';
import { getAuthorization, startWithCredentials } from './credentials-harness.ts';

const OWN_KEY = 'zq9.opaque.value.of.account';
const OWN = { headers: { authorization: `Bearer ${OWN_KEY}` } };
const SERVED_AS_SHARED = { upstreamModel: 'shared-model', priority: 0, weight: 1 };
const ENCRYPTED = { attempts: 2 };

/** A gateway and an account with its own credential, on a plan with a fee of 10 %. */
async function start(mode: 'first' | 'only', fee = '0.1') {
  const gateway = await startWithCredentials(['first'], ENCRYPTED);
  const { db } = gateway;
  const terms = {
    allowedModels: null,
    rpm: null,
    tpm: null,
    priceMultiplier: '1',
    ownCredentialFee: fee,
    includedCreditUsd: '1',
    isPrepaid: true,
    forwardsUnknown: null,
    countsCacheReads: null,
  };
  await addPlan(db, { id: 'fee', ...encodePlanTerms(terms) });
  const open = async () => {
    const { accountId } = await createAccountFixture(db);
    await setAccountPlan(db, { accountId, planId: 'fee', actorUserId: null });
    return { accountId, secret: (await createKeyFixture(db, accountId)).secret };
  };
  const [account, other] = [await open(), await open()];
  await attachOwn(db, { accountId: account.accountId, encryptionKey: gateway.encryptionKey, mode });
  const ask = async ({ secret }: { secret: string }, more: object = {}) => {
    const request = {
      model: 'shared-model',
      max_tokens: 20,
      messages: [{ role: 'user', content: 'Hello.' }],
      ...more,
    };
    const response = await post(`${gateway.apis[0]?.baseUrl ?? ''}/chat/completions`, request, { secret });
    const cost = parseUsd(response.headers.get('x-tollgate-cost') ?? '');
    return { status: response.status, text: await response.text(), cost };
  };
  const sent = () => gateway.provider.requests.map(({ headers }) => headers.authorization);
  const readRequests = () =>
    db.sql<{ own: boolean; ppm: number; cost: string; operator: string; attempts: unknown }[]>`
      SELECT own_credential AS own, price_ppm AS ppm, cost_nano_usd::text AS cost, attempts,
        operator_cost_nano_usd::text AS operator
      FROM requests WHERE account_id = ${account.accountId} AND state = 'settled' ORDER BY started_at`;
  const waitForRequests = async (count: number) => {
    await vi.waitFor(async () => expect(await readRequests()).toHaveLength(count));
    return readRequests();
  };
  const verify = async () => (await verifyLedger(db, { recompute: null })).findings;
  return { ...gateway, account, other, ask, sent, waitForRequests, verify };
}

describe('an account with its own credential', () => {
  it.each(['first', 'only'] as const)('sends it alone, and pays the fee of its plan (%s)', async (mode) => {
    await using gateway = await start(mode);
    const { account, other } = gateway;
    const full = await gateway.ask(other);
    const own = await gateway.ask(account);
    expect([full.status, own.status]).toEqual([200, 200]);
    expect(gateway.sent()).toEqual([expect.stringContaining('of.first'), `Bearer ${OWN_KEY}`]);
    expect((full.cost ?? 0n) > 0n).toBe(true);
    expect(own.cost).toBe((full.cost ?? 0n) / 10n);
    const [request] = await gateway.waitForRequests(1);
    expect(request).toMatchObject({ own: true, ppm: 100_000, operator: '0' });
    expect(BigInt(request?.cost ?? 0)).toBe(own.cost);
    expect(await gateway.verify()).toEqual([]);
  });

  it('pays nothing if the fee is 0', async () => {
    await using gateway = await start('only', '0');
    expect(await gateway.ask(gateway.account)).toMatchObject({ status: 200, cost: 0n });
    expect(await gateway.verify()).toEqual([]);
  });

  it('uses those of the gateway after it was refused, at the price of the model', async () => {
    await using gateway = await start('first');
    gateway.provider.always({ error: { status: 401 } }, OWN);
    const full = await gateway.ask(gateway.other);
    const served = await gateway.ask(gateway.account);
    expect(served).toMatchObject({ status: 200, cost: full.cost });
    const [request] = await gateway.waitForRequests(1);
    expect(request).toMatchObject({ own: false, ppm: 1_000_000, operator: '0' });
    expect(request?.attempts).toMatchObject([{ own: true, status: 401 }, { outcome: 'answered' }]);
    expect(await gateway.verify()).toEqual([]);
    // It was refused to this account, not to the gateway.
    expect(await gateway.readStates()).toMatchObject({ first: { cause: null } });
    await sumRequests(gateway.db, Date.now());
    const [health] = await readProviderHealth(gateway.db, new Date(Date.now() - 60_000));
    expect(health).toMatchObject({ provider: 'provider', failures: 0 });
  });

  it.each([401, 403] as const)(
    'says whose credential was refused with %s, and affects no other account',
    async (status) => {
      await using gateway = await start('only');
      for (const provider of [gateway.provider, gateway.spare]) provider.always({ error: { status } }, OWN);
      for (let at = 0; at < 8; at++) {
        const refused = await gateway.ask(gateway.account);
        expect(refused.status).toBe(403);
        expect(refused.text).toContain('own_credential_refused');
        expect(refused.text).toContain("your account's own credential");
        expect(refused.text).not.toContain(OWN_KEY);
      }
      expect((await gateway.ask(gateway.other)).status).toBe(200);
      for (const { own, cost } of await gateway.waitForRequests(8)) expect([own, cost]).toEqual([true, '0']);
    },
  );

  it('uses no other provider of the model, and no fallback model there, if it is used exclusively', async () => {
    await using gateway = await start('only');
    const { db, account, provider, spare } = gateway;
    await db.sql`DELETE FROM own_credentials USING providers
      WHERE own_credentials.provider_id = providers.id AND providers.name = 'spare'`;
    await putModel(db, { id: 'fallback', facts: {}, prices: PRICES, now: new Date(), actorUserId: null });
    await addRoute(db, { modelId: 'fallback', providerName: 'spare', ...SERVED_AS_SHARED });
    const fallback = { modelId: 'shared-model', fallbackId: 'fallback', classes: ['failure'] as const };
    expect((await putFallbackModel(db, { ...fallback, actorUserId: null })).ok).toBe(true);
    await vi.waitFor(async () => {
      const served = await gateway.ask(account, { model: 'fallback' });
      expect(served.status).toBe(200);
    });
    spare.reset();
    provider.always({ error: { status: 401 } }, OWN);
    const refused = await gateway.ask(account);
    expect(refused.text).toContain('own_credential_refused');
    expect([refused.status, spare.requests.length]).toEqual([403, 0]);
  });

  it('removes its value from what the provider says', async () => {
    await using gateway = await start('only');
    const error = { message: `Not for ${OWN_KEY}.`, type: 'invalid_request_error', param: null, code: 'x' };
    gateway.provider.always({ replay: { status: 400, body: JSON.stringify({ error }) } }, OWN);
    expect((await gateway.ask(gateway.account)).text).toContain('Not for [redacted].');
  });

  it('does not use it any more when it is removed, or the operator no longer allows it', async () => {
    await using gateway = await start('only');
    const { db, account } = gateway;
    await gateway.ask(account);
    await db.sql`UPDATE providers SET allows_own_credentials = false`;
    await vi.waitFor(async () => {
      const refused = await gateway.ask(account);
      expect(refused.status).toBe(403);
      expect(refused.text).toContain('can no longer be used');
    });
    await db.sql`DELETE FROM own_credentials`;
    await vi.waitFor(async () => expect((await gateway.ask(account)).status).toBe(200));
    expect(gateway.sent().at(-1)).toContain('of.first');
  });

  it('starts no second attempt with a credential of the gateway while the provider is slow', async () => {
    await using gateway = await start('first');
    const { db, account } = gateway;
    await db.sql`DELETE FROM own_credentials o USING providers p WHERE p.id = o.provider_id AND p.name = 'spare'`;
    await db.sql`UPDATE models SET hedge_after_ms = 100`;
    gateway.provider.always({ headersDelayMs: 1_500 }, OWN);
    const { catalogue } = gateway.apis[0]?.deps ?? {};
    await vi.waitFor(() => expect(catalogue?.current.get('shared-model')?.routing.hedgeAfterMs).toBe(100));
    expect(await gateway.ask(account, { stream: true })).toMatchObject({ status: 200 });
    expect(gateway.sent()).not.toContain(getAuthorization('first'));
    expect(gateway.spare.requests).toEqual([]);
  });

  it('uses those of the gateway after its own are refused, also if a second attempt was started', async () => {
    await using gateway = await start('first');
    const { db, account } = gateway;
    await db.sql`UPDATE models SET hedge_after_ms = 100`;
    gateway.provider.always({ headersDelayMs: 600, error: { status: 401 } }, OWN);
    gateway.spare.always({ error: { status: 500 } });
    const { catalogue } = gateway.apis[0]?.deps ?? {};
    await vi.waitFor(() => expect(catalogue?.current.get('shared-model')?.routing.hedgeAfterMs).toBe(100));
    expect(await gateway.ask(account, { stream: true })).toMatchObject({ status: 200 });
    expect(gateway.spare.requests.length).toBeGreaterThan(0);
    expect((await gateway.waitForRequests(1))[0]).toMatchObject({ own: false, ppm: 1_000_000 });
    expect(await gateway.verify()).toEqual([]);
  });

  it('continues a stream that breaks off, because one bill has one price', async () => {
    await using gateway = await start('first');
    const { account, db } = gateway;
    await db.sql`UPDATE models SET continue_streams = true`;
    const { catalogue } = gateway.apis[0]?.deps ?? {};
    await vi.waitFor(() =>
      expect(catalogue?.current.get('shared-model')?.routing.continueStreams).toBe(true),
    );
    gateway.provider.next({ answer: { words: 9 }, cutAfterPieces: 6 }, OWN);
    expect((await gateway.ask(account, { stream: true, max_tokens: 500 })).text).toContain('[DONE]');
    const [request] = await gateway.waitForRequests(1);
    expect(request?.attempts).toMatchObject([
      { own: true, outcome: 'cut' },
      { own: true, outcome: 'continued' },
    ]);
    expect(request).toMatchObject({ own: true, operator: '0' });
  });

  it('cannot be opened for another account', async () => {
    await using gateway = await start('only');
    const { db, account, other } = gateway;
    await db.sql`INSERT INTO own_credentials (account_id, provider_id, mode, credential_sealed)
      SELECT ${other.accountId}, provider_id, mode, credential_sealed FROM own_credentials
      WHERE account_id = ${account.accountId}`;
    await vi.waitFor(async () => expect((await gateway.ask(other)).text).toContain('can no longer be used'));
    expect(gateway.sent()).not.toContain(`Bearer ${OWN_KEY}`);
  });

  it('holds the price of the model if it may be paid', async () => {
    await using gateway = await start('first');
    const { db, account } = gateway;
    await db.sql`UPDATE balances SET available_nano_usd = 100 WHERE account_id = ${account.accountId}`;
    const refused = await gateway.ask(account);
    expect(refused.text).toContain('insufficient_balance');
    await db.sql`UPDATE own_credentials SET mode = 'only'`;
    await db.sql`UPDATE plans SET own_credential_ppm = 0 WHERE id = 'fee'`;
    await vi.waitFor(async () => expect((await gateway.ask(account)).status).toBe(200));
  });
});
