import { createKeyFixture } from '@tollgate/testing/factories';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, signUpVerified, type SignedIn } from '../testing/people.ts';
import { sendAlerts, sendLateAlerts } from './send-alerts.ts';

const WORKERS = 4;

describe('alerts', () => {
  let site: TestConsole;
  let person: SignedIn;
  beforeEach(async () => {
    site = await createTestConsole();
    person = await signUpVerified(site);
  });
  afterEach(() => site[Symbol.asyncDispose]());

  const runAll = () => Promise.all(Array.from({ length: WORKERS }, () => sendAlerts(site.deps)));
  const mails = async (subject: RegExp, email = person.email) =>
    (await site.mailsTo(email)).filter((mail) => subject.test(mail.subject));
  const setBalance = (cents: number) => site.deps.db.sql`
    UPDATE balances SET available_nano_usd = ${cents} * 10000000::bigint WHERE account_id = ${person.accountId}`;
  const spend = async (keyId: string, cents: number, hoursAgo = 0) => {
    const nanoUsd = (BigInt(cents) * 10_000_000n).toString();
    await site.deps.db.sql`UPDATE key_totals SET spent_nano_usd = ${nanoUsd} WHERE key_id = ${keyId}`;
    await site.deps.db.sql`
      INSERT INTO usage_hourly (hour, account_id, key_id, model, requests)
      VALUES (date_trunc('hour', now() - make_interval(hours => ${hoursAgo})), ${person.accountId}, ${keyId}, 'm', 1)
      ON CONFLICT (key_id, hour, model) DO UPDATE SET requests = usage_hourly.requests + 1`;
  };
  const createKey = async (name: string, maxBudgetUsd: string | null = '10') => {
    const { key } = await createKeyFixture(site.deps.db, person.accountId, { name, maxBudgetUsd });
    return key.id;
  };

  it('sends one email about a low balance, and another one after it has recovered and fallen again', async () => {
    const { accountId } = person;
    await person.visitor.client.billing.setLowBalanceAlert.mutate({ accountId, thresholdUsd: '2.50' });
    const sent = async () => (await mails(/balance is low/)).length;
    await setBalance(250);
    await runAll();
    expect(await sent()).toBe(0);
    await setBalance(249);
    for (let round = 0; round < 5; round++) await runAll();
    expect(await sent()).toBe(1);
    const [low] = await mails(/balance is low/);
    expect(low?.text).toContain('Your balance is $2.49');
    expect(low?.text).toMatch(/Account: “.+@.+”/);
    await setBalance(900);
    await runAll();
    await setBalance(100);
    await runAll();
    expect(await sent()).toBe(2);
    await person.visitor.client.billing.setLowBalanceAlert.mutate({ accountId, thresholdUsd: null });
    await setBalance(0);
    await runAll();
    expect(await sent()).toBe(2);
    process.stdout.write(`  ${WORKERS} workers, 10 rounds, fallen twice: 2 mails\n`);
  });

  it('notifies only owners and admins', async () => {
    const { accountId } = person;
    const admin = await joinAs(site, 'admin', accountId);
    const member = await joinAs(site, 'member', accountId);
    await person.visitor.client.billing.setLowBalanceAlert.mutate({ accountId, thresholdUsd: '2' });
    await setBalance(1);
    await runAll();
    expect(await mails(/low/, admin.email)).toHaveLength(1);
    expect(await mails(/low/, member.email)).toHaveLength(0);
  });

  it('notifies at 50, 80 and 100 % of a budget, once each, and only the highest of the thresholds passed together', async () => {
    const key = await createKey('crawler');
    const steps: [number, number][] = [
      [499, 0],
      [500, 1],
      [799, 1],
      [800, 2],
      [994, 2],
      // The rest pays for no request: users consider the budget used up.
      [995, 3],
      [1000, 3],
    ];
    for (const [cents, expected] of steps) {
      await spend(key, cents);
      await runAll();
      expect(await mails(/budget/)).toHaveLength(expected);
    }
    const texts = (await mails(/budget/)).map((mail) => mail.text);
    expect(texts[0]).toContain('crawler: its budget is used up ($9.95 of $10.00)');
    expect(texts[2]).toContain('crawler: 50% of its budget is used ($5.00 of $10.00)');
    const fast = await createKey('fast');
    await spend(fast, 1000);
    await runAll();
    expect(await mails(/budget/)).toHaveLength(4);
    process.stdout.write(`  ${WORKERS} workers, 2 keys, 8 rounds: 4 mails\n`);
  });

  it('lists many keys in one email, without revoked keys and keys without a budget', async () => {
    for (let i = 0; i < 25; i++) await spend(await createKey(`key ${i}`), 600);
    await spend(await createKey('free', null), 100_000);
    const revoked = await createKey('revoked');
    await spend(revoked, 1000);
    await site.deps.db.sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${revoked}`;
    await runAll();
    const sent = await mails(/budgets/);
    const lines = sent.flatMap((mail) => mail.text.split('\n')).filter((line) => line.includes('50%'));
    const more = sent.flatMap((mail) => /and (\d+) more/.exec(mail.text)?.[1] ?? []);
    expect(lines.length + Number(more[0] ?? 0)).toBe(25);
    expect(sent.map((mail) => mail.text).join('')).not.toMatch(/free|revoked/);
  });

  it('considers only recent usage, and later also usage from before an interruption', async () => {
    await spend(await createKey('yesterday'), 600, 24);
    await runAll();
    expect(await mails(/budget/)).toHaveLength(0);
    await Promise.all(Array.from({ length: WORKERS }, () => sendLateAlerts(site.deps)));
    expect(await mails(/budget/)).toHaveLength(1);
  });
});
