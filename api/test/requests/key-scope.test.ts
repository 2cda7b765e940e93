import { mintApiKey } from '@tollgate/auth/api-key';
import type { ErrorCode } from '@tollgate/core/errors/errors';
import { KEY_SCOPE_FIELDS, type KeyScope, type KeyScopeField } from '@tollgate/core/keys/key-scope';
import { createKey } from '@tollgate/db/queries/keys/keys';
import { OPEN_SCOPE } from '@tollgate/testing/factories';
import { FULL_SCOPE } from '@tollgate/testing/full-scope';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { keySchema } from '../../src/openapi/schemas/key.ts';
import { get, post, readJson, type ErrorBody } from '../../src/testing/call-api.ts';
import { startTestApi, type TestApi } from '../../src/testing/start-test-api.ts';
import { createHarness, MODEL, type Harness } from '../gateway-fixture.ts';

const OTHER = 'other-model';
const HOUR_MS = 3_600_000;

type Shown = z.infer<typeof keySchema>;

/** The fields that the api does not enforce, and why. All others are enforced. */
const LIMITS_NOTHING = {
  name: 'It only identifies the key for people.',
} satisfies Partial<Record<KeyScopeField, string>>;

/** What `GET /v1/key` shows of each field, for a key of `FULL_SCOPE`. */
const SHOWN: Record<KeyScopeField, (key: Shown) => [shown: unknown, expected: unknown]> = {
  name: (key) => [key.name, FULL_SCOPE.name],
  allowedModels: (key) => [key.allowed_models, FULL_SCOPE.allowedModels],
  maxBudgetUsd: (key) => [key.max_budget_usd, FULL_SCOPE.maxBudgetUsd],
  rpm: (key) => [key.limits.requests_per_minute?.limit, FULL_SCOPE.rpm],
  tpm: (key) => [key.limits.tokens_per_minute?.limit, FULL_SCOPE.tpm],
  expiresAt: (key) => [key.expires_at, FULL_SCOPE.expiresAt],
};

interface Refusal {
  scope: Partial<KeyScope>;
  code: ErrorCode;
}

/** How each field refuses: a key with this scope gets this error at one of its first two requests. */
const REFUSALS: Record<Exclude<KeyScopeField, keyof typeof LIMITS_NOTHING>, Refusal> = {
  allowedModels: { scope: { allowedModels: [OTHER] }, code: 'model_not_allowed' },
  maxBudgetUsd: { scope: { maxBudgetUsd: '0.000000001' }, code: 'budget_exceeded' },
  rpm: { scope: { rpm: 1 }, code: 'rate_limit_requests' },
  tpm: { scope: { tpm: 1 }, code: 'request_exceeds_tpm' },
  expiresAt: { scope: { expiresAt: new Date(Date.now() - HOUR_MS).toISOString() }, code: 'expired_api_key' },
};

describe('the scope of a key', () => {
  let harness: Harness;
  let api: TestApi;
  beforeAll(async () => {
    harness = await createHarness([MODEL, OTHER]);
    api = await startTestApi({ db: harness.database.db, runtime: 'node' });
  });
  afterAll(async () => {
    await api.close();
    await harness[Symbol.asyncDispose]();
  });

  it('allows all models that begin like a pattern, and lists only these', async () => {
    const { secret } = await harness.createKey({ allowedModels: ['other-*'] });
    const ask = (model: string) =>
      post(
        `${api.baseUrl}/chat/completions`,
        { model, messages: [{ role: 'user', content: 'Hi' }] },
        { secret },
      );
    expect((await ask(OTHER)).status).toBe(200);
    for (const model of [MODEL, 'Other-model', 'other-*', 'other']) {
      const refused = await ask(model);
      const { error } = await readJson<ErrorBody>(refused);
      expect([refused.status === 403, error.message.startsWith('key not allowed to access model')]).toEqual([
        model !== 'other-*',
        model !== 'other-*',
      ]);
    }
    const { data } = await readJson<{ data: { id: string }[] }>(get(`${api.baseUrl}/models`, { secret }));
    expect(data.map(({ id }) => id)).toEqual([OTHER]);
    const shown = await readJson<Shown>(get(`${api.baseUrl}/key`, { secret }));
    expect(shown.allowed_models).toEqual(['other-*']);
  });

  it.each(KEY_SCOPE_FIELDS)('is shown by GET /v1/key: %s', async (field) => {
    const { secret } = await harness.createKey(FULL_SCOPE);
    const [shown, expected] = SHOWN[field](await readJson<Shown>(get(`${api.baseUrl}/key`, { secret })));
    expect(shown).toEqual(expected);
  });

  it('is enforced, except the name', () => {
    const expected = KEY_SCOPE_FIELDS.filter((field) => field !== 'name');
    expect(Object.keys(REFUSALS).toSorted()).toEqual(expected.toSorted());
    expect(Object.keys(LIMITS_NOTHING)).toEqual(['name']);
  });

  it.each(Object.entries(REFUSALS))('limits requests: %s', async (_field, { scope, code }) => {
    const { secret } = await createKeyTwoHoursAgo(scope);
    const request = { model: MODEL, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 };
    const ask = () => post(`${api.baseUrl}/chat/completions`, request, { secret });
    const first = await ask();
    const refused = first.ok ? await ask() : first;
    expect((await readJson<ErrorBody>(refused)).error.code).toBe(code);
  });

  /** A key may only expire in the future of its creation. */
  async function createKeyTwoHoursAgo(scope: Partial<KeyScope>): Promise<{ secret: string }> {
    const minted = mintApiKey();
    const clock = { nowMs: () => Date.now() - 2 * HOUR_MS };
    const created = await createKey(harness.database.db, clock, {
      accountId: harness.accountId,
      createdBy: null,
      scope: { ...OPEN_SCOPE, ...scope },
      minted,
    });
    if (!created.ok) throw new Error(created.reason);
    return { secret: minted.key };
  }
});
