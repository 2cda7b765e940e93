import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestProvider } from '../payments/test-provider.ts';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, newEmail, PASSWORD, type SignedIn } from '../testing/people.ts';
import { getRefusal, type Visitor } from '../testing/visitor.ts';

const ORIGIN = 'http://127.0.0.1:3000';
const OPEN = '/dev/open?token=local-tools-token';

describe('the test payment page', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole({}, (options) =>
      createTestProvider({ ...options, webhookSecret: 'whsec_test' }),
    );
  });
  afterAll(() => site[Symbol.asyncDispose]());

  async function visitByLink(): Promise<Visitor> {
    const visitor = site.visit();
    await visitor.get(OPEN);
    return visitor;
  }
  async function signUp(): Promise<SignedIn> {
    const visitor = await visitByLink();
    const email = newEmail();
    await visitor.client.auth.signUp.mutate({ email, password: PASSWORD });
    const { code } = await site.newestMailTo(email);
    await visitor.client.auth.verifyEmail.mutate({ email, code });
    const { accounts } = await visitor.client.session.get.query();
    return { visitor, email, accountId: accounts[0]?.id ?? '' };
  }
  const topUp = async ({ visitor, accountId }: SignedIn, amountUsd = '20', saveMethod = false) =>
    visitor.client.billing.topUp.mutate({ accountId, amountUsd, saveMethod });
  const press = async (visitor: Visitor, url: string, action: string, origin = ORIGIN) => {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const request = new Request(url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ action }),
      headers: { origin, cookie },
    });
    return site.fetch(request, '127.0.0.1');
  };
  const getBalance = async ({ visitor, accountId }: SignedIn) =>
    BigInt((await visitor.client.billing.get.query({ accountId })).availableNanoUsd);

  it('credits a payment once, with a receipt and an email', async () => {
    const person = await signUp();
    const before = await getBalance(person);
    const { url } = await topUp(person, '20.50');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:3000\/dev\/pay\/pay_\w+$/);
    const page = await (await person.visitor.get(new URL(url).pathname)).text();
    expect(page).toContain('$20.50');
    const large = new URL((await topUp(person, '1000')).url).pathname;
    expect(await (await person.visitor.get(large)).text()).toContain('$1,000.00');
    expect(page).toContain('No money is charged');
    const answers = await Promise.all([press(person.visitor, url, 'pay'), press(person.visitor, url, 'pay')]);
    const paymentId = url.split('/').at(-1) ?? '';
    for (const answer of answers) {
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe(`/billing?payment=${paymentId}`);
    }
    expect((await getBalance(person)) - before).toBe(20_500_000_000n);
    const { payments } = await person.visitor.client.billing.payments.query({ accountId: person.accountId });
    expect(payments).toMatchObject([
      { state: 'created', receiptNumber: null },
      { id: paymentId, state: 'paid', kind: 'checkout' },
    ]);
    expect(payments[1]?.receiptNumber).toMatch(/^R-\d{4}-\d{6}$/);
    const receipt = await (await person.visitor.get(`/receipts/${paymentId}`)).text();
    expect(receipt).toContain(payments[1]?.receiptNumber);
    expect(receipt).toContain('Test card ending in 4242');
    expect(receipt).toContain(person.email);
    const mails = (await site.mailsTo(person.email)).filter((mail) => mail.subject.startsWith('Receipt'));
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('$20.50');
    expect(await (await person.visitor.get(new URL(url).pathname)).text()).not.toContain('<form');
  });

  it('credits nothing that was declined', async () => {
    const person = await signUp();
    const before = await getBalance(person);
    const { url } = await topUp(person);
    await press(person.visitor, url, 'decline');
    expect(await getBalance(person)).toBe(before);
    const { payments } = await person.visitor.client.billing.payments.query({ accountId: person.accountId });
    expect(payments).toMatchObject([
      { state: 'failed', failure: 'The test card was declined', receiptNumber: null },
    ]);
    expect((await person.visitor.get(`/receipts/${payments[0]?.id}`)).status).toBe(404);
    await press(person.visitor, url, 'pay');
    expect(await getBalance(person)).toBe(before);
  });

  it('deducts a refunded payment', async () => {
    const person = await signUp();
    const before = await getBalance(person);
    await press(person.visitor, (await topUp(person)).url, 'refund');
    expect(await getBalance(person)).toBe(before);
    const { accountId } = person;
    const { payments } = await person.visitor.client.billing.payments.query({ accountId });
    expect(payments).toMatchObject([{ state: 'refunded' }]);
    const { entries } = await person.visitor.client.billing.entries.query({ accountId, limit: 2 });
    expect(entries.map(({ kind, changeNanoUsd }) => [kind, changeNanoUsd])).toEqual([
      ['refund', '-20000000000'],
      ['top_up', '20000000000'],
    ]);
    const receipt = await (await person.visitor.get(`/receipts/${payments[0]?.id}`)).text();
    expect(receipt).toContain('−$20.00 USD');
  });

  it('saves the test card on request, and charges it only below the threshold', async () => {
    const person = await signUp();
    const { visitor, accountId } = person;
    const terms = { accountId, enabled: true, thresholdUsd: '5', amountUsd: '10', monthlyMaxUsd: null };
    expect((await getRefusal(visitor.client.billing.setAutoTopUp.mutate(terms))).code).toBe('BAD_REQUEST');
    await press(visitor, (await topUp(person, '20', true)).url, 'pay');
    expect(await visitor.client.billing.setAutoTopUp.mutate(terms)).toMatchObject({
      savedMethod: { brand: 'test', last4: '4242' },
      autoTopUp: { enabled: true, thresholdUsd: '5.00', amountUsd: '10.00' },
    });
  });

  it.each(['member', 'viewer'] as const)('lets a %s look, and neither pay nor set anything', async (role) => {
    const owner = await signUp();
    const { url } = await topUp(owner);
    const other = await joinAs(site, role, owner.accountId);
    const { accountId, visitor } = other;
    expect(await getBalance(other)).toBe(await getBalance(owner));
    const calls = [
      topUp(other),
      visitor.client.billing.setLowBalanceAlert.mutate({ accountId, thresholdUsd: '5' }),
      visitor.client.billing.setAutoTopUp.mutate({
        accountId,
        enabled: false,
        thresholdUsd: '5',
        amountUsd: '10',
        monthlyMaxUsd: null,
      }),
    ];
    for (const call of calls) expect((await getRefusal(call)).reason).toBe('role');
    expect((await press(visitor, url, 'pay')).status).toBe(404);
  });

  it('is missing for strangers, for other accounts and without the link printed at startup', async () => {
    const owner = await signUp();
    const { url } = await topUp(owner);
    const stranger = await signUp();
    expect((await press(stranger.visitor, url, 'pay')).status).toBe(404);
    expect((await press(await visitByLink(), url, 'pay')).status).toBe(404);
    const elsewhere = site.visit({ remoteAddress: '127.0.0.1' });
    for (const [name, value] of owner.visitor.cookies)
      if (name !== 'tollgate_local_tools') elsewhere.cookies.set(name, value);
    expect((await elsewhere.get(new URL(url).pathname)).status).toBe(404);
    const { accountId } = owner;
    expect(await elsewhere.client.billing.get.query({ accountId })).toMatchObject({
      payments: { mode: 'none' },
    });
    const refused = elsewhere.client.billing.topUp.mutate({ accountId, amountUsd: '20', saveMethod: false });
    expect((await getRefusal(refused)).message).toContain('not set up');
    expect((await getBalance(owner)) >= 0n).toBe(true);
    const { payments } = await owner.visitor.client.billing.payments.query({ accountId });
    expect(payments).toMatchObject([{ state: 'created' }]);
  });

  it('rejects requests from another site', async () => {
    const owner = await signUp();
    const { url } = await topUp(owner);
    for (const origin of ['https://evil.example', 'null'])
      expect((await press(owner.visitor, url, 'pay', origin)).status).toBe(403);
  });

  it.each([
    ['4.99', 'Minimum $5.00.'],
    ['1000.01', 'Maximum $1000.00 per payment.'],
    ['10.001', 'Use at most two decimals.'],
    ['-5', 'Enter an amount in dollars, like 20 or 12.50.'],
    ['1e3', 'Enter an amount in dollars, like 20 or 12.50.'],
  ])('refuses to take %s dollars', async (amountUsd, message) => {
    const person = await signUp();
    expect(await getRefusal(topUp(person, amountUsd))).toMatchObject({ message, field: 'amountUsd' });
  });

  it('requires a verified email, and rejects payments of a suspended account', async () => {
    const visitor = await visitByLink();
    const email = newEmail();
    await visitor.client.auth.signUp.mutate({ email, password: PASSWORD });
    await visitor.client.auth.signIn.mutate({ email, password: PASSWORD });
    const { accounts } = await visitor.client.session.get.query();
    const accountId = accounts[0]?.id ?? '';
    expect((await getRefusal(topUp({ visitor, email, accountId }))).reason).toBe('email_not_verified');
    const person = await signUp();
    await site.deps.db.sql`UPDATE accounts SET suspended_at = now() WHERE id = ${person.accountId}`;
    expect((await getRefusal(topUp(person))).message).toContain('suspended');
  });

  it('shows a receipt to no one outside the account', async () => {
    const person = await signUp();
    const { url } = await topUp(person);
    await press(person.visitor, url, 'pay');
    const path = `/receipts/${url.split('/').at(-1)}`;
    expect((await person.visitor.get(path)).status).toBe(200);
    expect((await (await signUp()).visitor.get(path)).status).toBe(404);
    const anonymous = await site.visit().get(path);
    expect([anonymous.status, anonymous.headers.get('location')]).toEqual([302, '/sign-in']);
    const viewer = await joinAs(site, 'viewer', person.accountId);
    expect((await viewer.visitor.get(path)).status).toBe(200);
  });

  it('exists nowhere but in the test mode', async () => {
    await using other = await createTestConsole();
    const answer = await other.visit().get('/dev/pay/pay_1');
    expect(await answer.text()).toContain('has not been built');
    const hook = new Request(`${ORIGIN}/webhooks/stripe`, { method: 'POST', body: '{}' });
    expect((await other.fetch(hook, '127.0.0.1')).status).toBe(404);
  });
});
