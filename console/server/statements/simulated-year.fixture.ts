import { NO_USAGE } from '@tollgate/core/money/money';
import { computeCost } from '@tollgate/core/money/rates/compute-cost';
import { beatReplica } from '@tollgate/db/queries/ledger/lost-holds';
import { adjustBalance } from '@tollgate/db/queries/ledger/grant-credit';
import { postUsage } from '@tollgate/db/queries/ledger/post-usage';
import { putModel } from '@tollgate/db/queries/models/models';
import { setAccountPlan } from '@tollgate/db/queries/plans/plans';
import type { TaxMode } from '@tollgate/db/schema/installation';
import { commitBatch } from '@tollgate/testing/commit-batch';
import { createKeyFixture } from '@tollgate/testing/factories';
import {
  getSettlement,
  holdRequest,
  requestRecord,
  type RecordOwner,
} from '@tollgate/testing/ledger-records';
import { createPaymentsSite, type PaymentsSite } from '../testing/payments-fixture.ts';
import { PASSWORD, signUpOperator, signUpVerified, type SignedIn } from '../testing/people.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const USD = 1_000_000_000n;
const PRICES = {
  inputNanoUsdPerMtok: 3n * USD,
  outputNanoUsdPerMtok: 15n * USD,
  cacheReadNanoUsdPerMtok: null,
  cacheWriteNanoUsdPerMtok: null,
  cacheWrite1hNanoUsdPerMtok: null,
};
export const MODELS = ['m', 'n'] as const;

type Model = (typeof MODELS)[number];

/** An installation whose clock and whose ledger's clock move together, by hand. */
export interface SimulatedYear extends AsyncDisposable {
  on: PaymentsSite;
  payer: SignedIn;
  keys: RecordOwner[];
  now(): number;
  /** Moves both clocks forward to a time. */
  moveTo(ms: number): Promise<void>;
  /** Settles a request of `tokens` output tokens that begins at `startedAtMs`. @returns its cost */
  use(use: { key: number; model: Model; tokens: number; startedAtMs: number }): Promise<bigint>;
  /** Puts an amount on hold and returns what settles it later. */
  begin(use: { key: number; tokens: number }): Promise<() => Promise<void>>;
  post(): Promise<void>;
  /** Tops up and pays. @returns the ID of the payment at the provider */
  topUp(amountUsd: string): Promise<string>;
  /** From Stripe's dashboard. */
  refund(intentId: string, cents: number): Promise<void>;
  /** On the page of the payment. */
  refundHere(intentId: string, amountUsd: string): Promise<void>;
  setTaxMode(mode: TaxMode): Promise<void>;
  dispute(intentId: string, cents: number): Promise<{ win(): Promise<void> }>;
  adjust(amountNanoUsd: bigint): Promise<void>;
  setPlan(planId: string): Promise<void>;
}

export async function startSimulatedYear(): Promise<SimulatedYear> {
  const on = await createPaymentsSite();
  const { site, stripe } = on;
  const { db, clock } = site.deps;
  const { sql } = db;
  await sql`CREATE TABLE test_clock AS SELECT interval '0' AS ahead`;
  await sql.unsafe(`CREATE FUNCTION test_now() RETURNS timestamptz LANGUAGE sql AS
    'SELECT clock_timestamp() + ahead FROM test_clock'`);
  await sql`ALTER TABLE ledger_entries ALTER COLUMN at SET DEFAULT test_now()`;
  await sql`SELECT ensure_request_partitions(15)`;
  for (const id of MODELS) await putModel(db, { id, facts: {}, prices: PRICES, now: new Date(0) });
  const prices = await sql<{ id: bigint; model: Model }[]>`SELECT id, model_id AS model FROM model_prices`;
  const priceIds = new Map(prices.map(({ id, model }) => [model, Number(id)]));
  await beatReplica(sql, 'rep_test');
  const payer = await signUpVerified(site);
  const { accountId } = payer;
  const operator = await signUpOperator(site);
  const signIn = async ({ visitor, email }: SignedIn) =>
    visitor.client.auth.signIn.mutate({ email, password: PASSWORD });
  const { client: operators } = operator.visitor;
  await operators.operator.taxes.add.mutate({
    name: 'VAT',
    percent: '19',
    country: null,
    reverseCharge: false,
  });
  const keys: RecordOwner[] = [];
  for (const name of ['web', 'batch'])
    keys.push({ accountId, keyId: (await createKeyFixture(db, accountId, { name })).key.id });
  const getOwner = (key: number) => keys[key] ?? { accountId, keyId: '' };
  const bill = (tokens: number) => {
    const usage = { ...NO_USAGE, inputTokens: 7, outputTokens: tokens };
    return { ...usage, costNanoUsd: computeCost(usage, PRICES, 1_000_000) };
  };
  const isPrepaid = async () => {
    const [row] = await sql<{ prepaid: boolean }[]>`
      SELECT p.is_prepaid AS prepaid FROM accounts a JOIN plans p ON p.id = a.plan_id WHERE a.id = ${accountId}`;
    return row?.prepaid === true;
  };
  const send = async (type: string, object: object) => on.deliver(stripe.event(type, object));
  return {
    on,
    payer,
    keys,
    now: () => clock.nowMs(),
    async moveTo(ms) {
      site.advance(ms - clock.nowMs());
      await sql`UPDATE test_clock SET ahead = make_interval(secs => ${(clock.nowMs() - Date.now()) / 1000})`;
    },
    async use({ key, model, tokens, startedAtMs }) {
      const billed = bill(tokens);
      const priceId = priceIds.get(model) ?? 0;
      const same = { model, startedAtMs, priceId };
      if (!(await isPrepaid())) {
        const record = requestRecord(getOwner(key), { ...billed, ...same });
        await commitBatch(db, { settlements: [record] });
        return 0n;
      }
      const hold = holdRequest(getOwner(key), {
        ...same,
        wantNanoUsd: billed.costNanoUsd,
        chargesBalance: true,
      });
      await commitBatch(db, { holds: [hold] });
      await commitBatch(db, { settlements: [getSettlement(hold, billed)] });
      return billed.costNanoUsd;
    },
    async begin({ key, tokens }) {
      const billed = bill(tokens);
      const startedAtMs = clock.nowMs();
      const priceId = priceIds.get('m') ?? 0;
      const hold = holdRequest(getOwner(key), {
        startedAtMs,
        priceId,
        wantNanoUsd: billed.costNanoUsd,
        chargesBalance: true,
      });
      await commitBatch(db, { holds: [hold] });
      return async () => void (await commitBatch(db, { settlements: [getSettlement(hold, billed)] }));
    },
    async post() {
      await postUsage(db, { before: new Date(clock.nowMs()) });
    },
    async topUp(amountUsd) {
      await signIn(payer);
      const { session, intent } = on.pay(await on.checkOut(payer, amountUsd));
      await send('checkout.session.completed', session);
      return intent.id;
    },
    async refund(intentId, cents) {
      await send('refund.created', stripe.state.refund(intentId, cents));
    },
    async refundHere(intentId, amountUsd) {
      await signIn(operator);
      const [payment] = await sql<{ id: string }[]>`
        SELECT id FROM payments WHERE payment_intent_id = ${intentId}`;
      await operators.operator.payments.refund.mutate({
        paymentId: payment?.id ?? '',
        amountUsd,
        reason: 'Agreed by phone',
        requestId: crypto.randomUUID(),
      });
    },
    async setTaxMode(mode) {
      await signIn(operator);
      await operators.operator.taxes.setMode.mutate({ mode });
    },
    async dispute(intentId, cents) {
      const dispute = {
        id: `dp_${intentId}`,
        object: 'dispute',
        amount: cents,
        currency: 'usd',
        payment_intent: intentId,
      };
      await send('charge.dispute.created', { ...dispute, status: 'needs_response' });
      return { win: async () => void (await send('charge.dispute.closed', { ...dispute, status: 'won' })) };
    },
    async adjust(amountNanoUsd) {
      const change = { accountId, amountNanoUsd, reason: 'Agreed by phone', actorUserId: null };
      const adjusted = await adjustBalance(db, change);
      if (!adjusted.ok) throw new Error('The balance was not enough');
    },
    async setPlan(planId) {
      await setAccountPlan(db, { accountId, planId, actorUserId: null });
    },
    [Symbol.asyncDispose]: async () => on[Symbol.asyncDispose](),
  };
}
