import { randomBytes } from 'node:crypto';
import { NO_USAGE, parseUsd } from '@tollgate/core/money/money';
import { PLAN_TERMS_FIELDS, type PlanTermsField, type PlanTermsInput } from '@tollgate/core/money/plan-terms';
import { setAccountPlan, addPlan } from '@tollgate/db/queries/plans/plans';
import { decodePlanTerms, encodePlanTerms } from '@tollgate/db/queries/plans/plan-terms';
import { createAccountFixture, createKeyFixture } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { keySchema } from '../../src/openapi/schemas/key.ts';
import { get, post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../gateway-fixture.ts';
import { attachOwn } from '../own-credential-fixture.ts';

const OTHER = 'other-model';
const ENCRYPTION_KEY = randomBytes(32).toString('base64');

type Shown = z.infer<typeof keySchema>;

/** A plan without limits, with enough credit for some requests. */
const OPEN_TERMS: PlanTermsInput = {
  allowedModels: null,
  rpm: null,
  tpm: null,
  priceMultiplier: '1',
  ownCredentialFee: '0',
  includedCreditUsd: '1',
  isPrepaid: true,
  forwardsUnknown: null,
  countsCacheReads: null,
};

/** Another value of each term, and what `GET /v1/key` shows of it; `shown` null: it is the operator's business. */
const OTHERS: {
  [Term in PlanTermsField]: {
    value: PlanTermsInput[Term];
    shown: ((key: Shown) => [shown: unknown, expected: unknown]) | null;
  };
} = {
  allowedModels: { value: [MODEL], shown: (key) => [key.plan.allowed_models, [MODEL]] },
  rpm: { value: 1, shown: (key) => [key.plan.limits.requests_per_minute?.limit, 1] },
  tpm: { value: 1, shown: (key) => [key.plan.limits.tokens_per_minute?.limit, 1] },
  priceMultiplier: { value: '2.5', shown: (key) => [key.plan.price_multiplier, 2.5] },
  ownCredentialFee: { value: '0.05', shown: (key) => [key.plan.own_credential_fee, 0.05] },
  includedCreditUsd: { value: '3', shown: (key) => [key.balance?.available_usd, '3.00'] },
  isPrepaid: { value: false, shown: (key) => [key.balance, null] },
  forwardsUnknown: { value: true, shown: null },
  countsCacheReads: { value: false, shown: (key) => [key.plan.counts_cache_reads, false] },
};

describe('every term of a plan', () => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness([MODEL, OTHER]);
    api = await startTestApi({
      db: harness.database.db,
      runtime: 'node',
      encryptionKey: ENCRYPTION_KEY,
    });
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  let serial = 0;
  const openAccount = async (terms: Partial<PlanTermsInput>) => {
    const { db } = harness.database;
    const planId = `terms-${(serial += 1)}`;
    await addPlan(db, { id: planId, ...encodePlanTerms({ ...OPEN_TERMS, ...terms }) });
    const { accountId } = await createAccountFixture(db);
    await setAccountPlan(db, { accountId, planId, actorUserId: null });
    return { planId, accountId, secret: (await createKeyFixture(db, accountId)).secret };
  };
  const ask = (secret: string, more: object = {}) =>
    post(
      `${api.baseUrl}/chat/completions`,
      { model: MODEL, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5, ...more },
      { secret },
    );
  const getCode = async (asked: Promise<Response>) => (await readJson<ErrorBody>(asked)).error.code;
  const computeCost = async (terms: Partial<PlanTermsInput>) =>
    parseUsd((await ask((await openAccount(terms)).secret)).headers.get('x-tollgate-cost') ?? '') ?? 0n;
  const sentTo = async (terms: Partial<PlanTermsInput>) => {
    const { secret } = await openAccount(terms);
    const sent = harness.provider.nextRequest();
    await (await ask(secret, { brand_new: 1 })).text();
    return (await sent).body.toString();
  };

  /** What each term changes in the handling of a request. */
  const EFFECTS: Record<PlanTermsField, () => Promise<[found: unknown, expected: unknown]>> = {
    allowedModels: async () => {
      const { secret } = await openAccount({ allowedModels: [OTHER] });
      return [await getCode(ask(secret)), 'model_not_allowed'];
    },
    rpm: async () => {
      const { secret } = await openAccount({ rpm: 1 });
      await ask(secret);
      return [await getCode(ask(secret)), 'rate_limit_requests'];
    },
    tpm: async () => {
      const { secret } = await openAccount({ tpm: 1 });
      return [await getCode(ask(secret)), 'request_exceeds_tpm'];
    },
    priceMultiplier: async () => {
      const plain = await computeCost({});
      return [await computeCost({ priceMultiplier: '3' }), plain > 0n && 3n * plain];
    },
    ownCredentialFee: async () => {
      const plain = await computeCost({});
      const { accountId, secret } = await openAccount({ ownCredentialFee: '0.5' });
      await attachOwn(harness.database.db, { accountId, encryptionKey: ENCRYPTION_KEY });
      const cost = (await ask(secret)).headers.get('x-tollgate-cost') ?? '';
      return [parseUsd(cost), plain > 0n && plain / 2n];
    },
    includedCreditUsd: async () => {
      const { secret } = await openAccount({ includedCreditUsd: '0' });
      return [await getCode(ask(secret)), 'insufficient_balance'];
    },
    isPrepaid: async () => {
      const { secret } = await openAccount({ includedCreditUsd: '0', isPrepaid: false });
      return [(await ask(secret)).status, 200];
    },
    forwardsUnknown: async () => {
      const sent = [await sentTo({ forwardsUnknown: false }), await sentTo({ forwardsUnknown: true })];
      return [sent.map((body) => body.includes('brand_new')), [false, true]];
    },
    countsCacheReads: async () => {
      const usage = { ...NO_USAGE, inputTokens: 10, cacheReadTokens: 20_000, outputTokens: 5 };
      const countedBy = async (countsCacheReads: boolean) => {
        const { secret } = await openAccount({ countsCacheReads, tpm: 100_000 });
        harness.provider.next({ answer: { usage } });
        await (await ask(secret)).text();
        const key = await readJson<Shown>(get(`${api.baseUrl}/key`, { secret }));
        return 100_000 - (key.plan.limits.tokens_per_minute?.remaining ?? 0);
      };
      return [
        [await countedBy(true), await countedBy(false)],
        [20_015, 15],
      ];
    },
  };

  it.each(PLAN_TERMS_FIELDS)('has an effect on requests: %s', async (term) => {
    const [found, expected] = await EFFECTS[term]();
    expect(found).toEqual(expected);
  });

  it.each(PLAN_TERMS_FIELDS.filter((term) => OTHERS[term].shown !== null))(
    'is shown by GET /v1/key: %s',
    async (term) => {
      const { value, shown } = OTHERS[term];
      const { secret } = await openAccount({ [term]: value });
      const key = await readJson<Shown>(get(`${api.baseUrl}/key`, { secret }));
      const [found, expected] = shown?.(key) ?? [];
      expect(found).toEqual(expected);
    },
  );

  it('is stored and in the audit log as it was entered', async () => {
    const terms: PlanTermsInput = { ...OPEN_TERMS, ...getValues(OTHERS) };
    const added = await addPlan(harness.database.db, { id: 'all-terms', ...encodePlanTerms(terms) });
    if (!added.ok) throw new Error(added.reason);
    const stored = { ...terms, includedCreditUsd: '3.00' };
    expect(decodePlanTerms(added.plan)).toEqual(stored);
    const [entry] = await harness.database.db.sql`SELECT detail FROM audit_log WHERE subject = 'all-terms'`;
    expect(entry?.['detail']).toEqual(stored);
  });
});

function getValues(others: Record<PlanTermsField, { value: unknown }>): object {
  return Object.fromEntries(PLAN_TERMS_FIELDS.map((term) => [term, others[term].value]));
}
