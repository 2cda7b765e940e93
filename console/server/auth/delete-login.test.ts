import { formatUsd } from '@tollgate/core/money/money';
import { adjustBalance } from '@tollgate/db/queries/ledger/grant-credit';
import { verifyLedger } from '@tollgate/db/queries/ledger/verify';
import { OPEN_SCOPE } from '@tollgate/testing/factories';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, newEmail, PASSWORD, signUpVerified, type SignedIn } from '../testing/people.ts';
import { getRefusal } from '../testing/visitor.ts';

const BALANCE = 12_500_000_132n;

describe('deleting a login', () => {
  let site: TestConsole;
  beforeAll(async () => {
    site = await createTestConsole();
  });
  afterAll(() => site[Symbol.asyncDispose]());

  /** Someone with $12.500000132 and a key. */
  async function signUpWithMoney(): Promise<SignedIn> {
    const person = await signUpVerified(site);
    const { client } = person.visitor;
    const { availableNanoUsd } = await client.billing.get.query({ accountId: person.accountId });
    await adjustBalance(site.deps.db, {
      accountId: person.accountId,
      amountNanoUsd: BALANCE - BigInt(availableNanoUsd),
      reason: 'A test',
      actorUserId: null,
    });
    await client.keys.create.mutate({ accountId: person.accountId, scope: OPEN_SCOPE });
    return person;
  }

  async function deleteNow({ visitor, email }: SignedIn, giveUpUsd: string) {
    await visitor.client.sessions.confirm.mutate({ password: PASSWORD });
    return visitor.client.settings.deleteLogin.mutate({ email, giveUpUsd });
  }

  it('revokes the keys, gives the balance up in the ledger, and leaves nothing that names the person', async () => {
    const person = await signUpWithMoney();
    const { visitor, email, accountId } = person;
    await visitor.client.settings.setName.mutate({ name: 'Ada of the tests' });
    expect(await visitor.client.settings.deletion.query()).toEqual({
      balanceNanoUsd: BALANCE.toString(),
      keys: 1,
      obstacle: null,
    });
    await deleteNow(person, formatUsd(BALANCE));
    expect((await visitor.client.session.get.query()).user).toBeNull();
    const { sql } = site.deps.db;
    const [key] = await sql`SELECT revoked_at FROM api_keys WHERE account_id = ${accountId}`;
    expect(key?.['revoked_at']).not.toBeNull();
    const [last] = await sql`
      SELECT kind, debit, credit, amount_nano_usd AS amount FROM ledger_entries
      WHERE account_id = ${accountId} ORDER BY at DESC, id DESC LIMIT 1`;
    expect(last).toMatchObject({ kind: 'adjustment', debit: 'wallet', credit: 'adjustments' });
    expect(BigInt(String(last?.['amount']))).toBe(BALANCE);
    expect((await verifyLedger(site.deps.db, { recompute: null })).findings).toEqual([]);
    const [mail, ...others] = await site.mailsTo(email);
    expect(mail?.subject).toBe('Your Tollgate account is deleted');
    expect(others).toEqual([]);
    const tables = [
      'users',
      'accounts',
      'sessions',
      'audit_log',
      'payments',
      'one_time_codes',
      'invitations',
    ];
    for (const table of tables) {
      const rows = await sql.unsafe(`SELECT t::text AS row FROM ${table} t`);
      expect(JSON.stringify(rows)).not.toMatch(new RegExp(`"[^"]*(${email}|Ada of the tests)`));
    }
  });

  it('leaves no billing details in payments without a receipt', async () => {
    const person = await signUpWithMoney();
    const { sql } = site.deps.db;
    const { accountId } = person;
    const customer = { companyName: 'Ada Works', address: 'Wharf 1', country: 'GB', taxId: 'GB123456789' };
    const addedTaxes = { taxes: [], reverseCharge: true, customer };
    for (const [id, state, paidAt] of [
      ['pay_open', 'created', null],
      ['pay_expired', 'expired', null],
      ['pay_paid', 'paid', new Date(site.deps.clock.nowMs()).toISOString()],
    ] as const)
      await sql`
        INSERT INTO payments (id, account_id, kind, provider, state, amount_cents, payer_email, paid_at, receipt_number, tax_mode,
          added_taxes)
        VALUES (${id}, ${accountId}, 'checkout', 'stripe', ${state}, 2000, ${person.email}, ${paidAt}, ${paidAt && 'R-1'}, 'on_top',
          ${JSON.stringify(addedTaxes)}::text::jsonb)`;
    await deleteNow(person, formatUsd(BALANCE));
    const rows = await sql<{ id: string; taxes: typeof addedTaxes }[]>`
      SELECT id, added_taxes AS taxes FROM payments WHERE account_id = ${accountId} ORDER BY id`;
    const blank = { companyName: '', address: '', country: null, taxId: '' };
    expect(rows).toEqual([
      { id: 'pay_expired', taxes: { ...addedTaxes, customer: blank } },
      { id: 'pay_open', taxes: { ...addedTaxes, customer: blank } },
      { id: 'pay_paid', taxes: addedTaxes },
    ]);
  });

  it('deletes saved views of the person and of their accounts, and how pages are shown', async () => {
    const owner = await signUpWithMoney();
    const guest = await joinAs(site, 'member', owner.accountId);
    const { accountId } = owner;
    const view = { accountId, name: 'Failures', filter: {} };
    for (const { visitor } of [owner, guest]) {
      await visitor.client.views.create.mutate({ ...view, isShared: false });
      await visitor.client.settings.setDisplay.mutate({ theme: 'dark', timeZone: 'Asia/Kolkata' });
      await visitor.client.settings.setDisplay.mutate({ moneyPrecision: 'exact' });
    }
    await owner.visitor.client.views.create.mutate({ ...view, isShared: true });
    const { sql } = site.deps.db;
    const countViews = async () =>
      (await sql`SELECT 1 FROM saved_views WHERE account_id = ${accountId}`).length;
    expect(await countViews()).toBe(3);
    const { balanceNanoUsd } = await guest.visitor.client.settings.deletion.query();
    await deleteNow(guest, formatUsd(BigInt(balanceNanoUsd)));
    expect(await countViews()).toBe(2);
    await deleteNow(owner, formatUsd(BALANCE));
    expect(await countViews()).toBe(0);
    const displays = await sql`
      SELECT DISTINCT theme, time_zone, money_precision FROM users WHERE deleted_at IS NOT NULL`;
    expect(displays).toEqual([{ theme: null, time_zone: null, money_precision: 'rounded' }]);
  });

  it('lets the address be used by a new login, which has nothing of the old one', async () => {
    const person = await signUpWithMoney();
    await deleteNow(person, formatUsd(BALANCE));
    const before = await getRefusal(
      site.visit().client.auth.signIn.mutate({ email: person.email, password: PASSWORD }),
    );
    expect(before.reason).toBe('wrong_credentials');
    site.advance(3_600_000);
    const again = await signUpVerified(site, person.email);
    expect(again.accountId).not.toBe(person.accountId);
  });

  it('forfeits the balance only if the exact amount is typed', async () => {
    const person = await signUpWithMoney();
    for (const giveUpUsd of ['', '0', '12.50', '12.5000001', 'all']) {
      const refusal = await getRefusal(deleteNow(person, giveUpUsd));
      expect(refusal).toMatchObject({ code: 'BAD_REQUEST', field: 'giveUpUsd' });
    }
    expect((await person.visitor.client.session.get.query()).user?.email).toBe(person.email);
  });

  it('requires the email address and re-authentication', async () => {
    const person = await signUpWithMoney();
    const { client } = person.visitor;
    const input = { email: person.email, giveUpUsd: formatUsd(BALANCE) };
    expect((await getRefusal(client.settings.deleteLogin.mutate(input))).reason).toBe('confirm_identity');
    await client.sessions.confirm.mutate({ password: PASSWORD });
    const other = client.settings.deleteLogin.mutate({ ...input, email: newEmail() });
    expect((await getRefusal(other)).field).toBe('email');
  });

  it('waits until an account with other people is handed over, and a guest may always go', async () => {
    const owner = await signUpWithMoney();
    const guest = await joinAs(site, 'member', owner.accountId);
    expect((await owner.visitor.client.settings.deletion.query()).obstacle).toBe('other_members');
    expect((await getRefusal(deleteNow(owner, formatUsd(BALANCE)))).message).toContain('Transfer ownership');
    const { balanceNanoUsd } = await guest.visitor.client.settings.deletion.query();
    await deleteNow(guest, formatUsd(BigInt(balanceNanoUsd)));
    expect((await owner.visitor.client.settings.deletion.query()).obstacle).toBeNull();
  });

  it('waits for calls that are running and for debts that are open', async () => {
    const person = await signUpWithMoney();
    const { sql } = site.deps.db;
    const obstacle = async () => (await person.visitor.client.settings.deletion.query()).obstacle;
    await sql`UPDATE balances SET held_nano_usd = 1 WHERE account_id = ${person.accountId}`;
    expect(await obstacle()).toBe('calls_running');
    await sql`UPDATE balances SET held_nano_usd = 0, available_nano_usd = -1 WHERE account_id = ${person.accountId}`;
    expect(await obstacle()).toBe('debt');
    expect((await getRefusal(deleteNow(person, '0'))).message).toContain('below zero');
    await sql`UPDATE balances SET available_nano_usd = ${BALANCE.toString()} WHERE account_id = ${person.accountId}`;
  });

  it('does not delete the last operator', async () => {
    const person = await signUpWithMoney();
    await site.deps.db.sql`UPDATE users SET is_operator = true WHERE email = ${person.email}`;
    expect((await person.visitor.client.settings.deletion.query()).obstacle).toBe('last_operator');
    await site.deps.db.sql`UPDATE users SET is_operator = false WHERE email = ${person.email}`;
  });
});
