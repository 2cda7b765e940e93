import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appRouter } from './router.ts';
import { createTestConsole, type TestConsole } from './testing/console-fixture.ts';

/** What may be called without a session. Whoever adds to it says so here. */
const PUBLIC = new Set([
  'session.get',
  'auth.signUp',
  'auth.verifyEmail',
  'auth.resendVerification',
  'auth.signIn',
  'auth.signOut',
  'auth.requestPasswordReset',
  'auth.resetPassword',
  // As if they did not exist, but for this machine's own user: mailbox.test.ts.
  'mailbox.list',
  'mailbox.get',
]);

const INPUTS: Record<string, unknown> = {
  'settings.changePassword': { currentPassword: 'a password of mine', newPassword: 'another password' },
  'settings.requestEmailChange': { email: 'a@example.com', password: 'a password of mine' },
  'settings.confirmEmailChange': { code: '123456' },
  'keys.list': { accountId: 'acct_1', state: 'active' },
  'keys.get': { accountId: 'acct_1', keyId: 'key_1' },
  'keys.create': {
    accountId: 'acct_1',
    scope: { name: 'x', allowedModels: null, maxBudgetUsd: null, rpm: null, tpm: null, expiresAt: null },
  },
  'keys.revoke': { accountId: 'acct_1', keyId: 'key_1' },
  'models.list': { accountId: 'acct_1' },
  'billing.get': { accountId: 'acct_1' },
  'billing.entries': { accountId: 'acct_1' },
  'billing.payments': { accountId: 'acct_1' },
  'billing.topUp': { accountId: 'acct_1', amountUsd: '20', saveMethod: false },
  'billing.setAutoTopUp': { accountId: 'acct_1', enabled: true, thresholdUsd: '5', amountUsd: '20' },
  'billing.setLowBalanceAlert': { accountId: 'acct_1', thresholdUsd: '5' },
};

// Flat at run time: `keys.create` and so on.
const flat: Record<string, unknown> = { ...appRouter._def.procedures };
const procedures = Object.entries(flat).map(([path, procedure]) => [path, typeOf(procedure)] as const);

function typeOf(procedure: unknown): string {
  if (typeof procedure !== 'function' || !('_def' in procedure)) throw new Error('This is no procedure');
  const definition = procedure._def;
  const isTyped = typeof definition === 'object' && definition !== null && 'type' in definition;
  return isTyped ? String(definition.type) : 'unknown';
}

describe('every procedure', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  async function call(path: string, type: string, input: unknown): Promise<string> {
    const url = `http://127.0.0.1:3000/trpc/${path}`;
    const request =
      type === 'query'
        ? new Request(`${url}?input=${encodeURIComponent(JSON.stringify(input))}`)
        : new Request(url, {
            method: 'POST',
            body: JSON.stringify(input),
            headers: { 'content-type': 'application/json', origin: 'http://127.0.0.1:3000' },
          });
    return (await site.fetch(request, '10.0.0.1')).text();
  }

  it('is found by this test', () => {
    const paths = procedures.map(([path]) => path);
    expect(paths).toEqual(expect.arrayContaining([...PUBLIC, ...Object.keys(INPUTS)]));
    expect(paths.length).toBeGreaterThanOrEqual(18);
  });

  it.each(procedures.filter(([path]) => !PUBLIC.has(path)))(
    '%s refuses without a session',
    async (path, type) => {
      for (const input of [INPUTS[path] ?? {}, {}, { accountId: 'acct_1' }]) {
        expect(JSON.parse(await call(path, type, input))).toMatchObject({
          error: { data: { code: 'UNAUTHORIZED' } },
        });
      }
    },
  );

  it.each(procedures)('%s says nothing of the inside when its input is nonsense', async (path, type) => {
    for (const input of [null, 'nonsense', { email: { $ne: 1 }, token: 5, accountId: ['x'] }]) {
      const answer = await call(path, type, input);
      expect(answer).not.toMatch(/stack|node_modules|select |drizzle|postgres/i);
      expect(answer).not.toContain('INTERNAL_SERVER_ERROR');
    }
  });
});
