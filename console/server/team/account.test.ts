import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import type { SignedIn } from '../testing/people.ts';
import { plant } from '../testing/planted-people.ts';
import { getRefusal } from '../testing/visitor.ts';

let site: TestConsole;
beforeAll(async () => {
  site = await createTestConsole();
});
afterAll(() => site[Symbol.asyncDispose]());

async function rolesIn({ visitor, accountId }: SignedIn): Promise<Record<string, string>> {
  const { members } = await visitor.client.team.members.query({ accountId });
  return Object.fromEntries(members.map((member) => [member.email, member.role]));
}

describe('an account', () => {
  it('is transferred only by its owner, with its balance and without their card', async () => {
    const owner = await plant(site, { isConfirmed: true });
    const admin = await plant(site, { joins: { accountId: owner.accountId, role: 'admin' } });
    const { accountId } = owner;
    const { sql } = site.deps.db;
    await sql`
      INSERT INTO payment_methods (account_id, provider, customer_id, method_id, brand, last4)
      VALUES (${accountId}, 'stripe', 'cus_1', 'pm_1', 'visa', '4242')`;
    await sql`
      INSERT INTO auto_top_ups (account_id, enabled, threshold_nano_usd, amount_cents)
      VALUES (${accountId}, true, 5000000000, 2000)`;
    const byAdmin = admin.visitor.client.team.transfer.mutate({ accountId, userId: admin.userId });
    expect((await getRefusal(byAdmin)).code).toBe('FORBIDDEN');
    const toMyself = owner.visitor.client.team.transfer.mutate({ accountId, userId: owner.userId });
    expect((await getRefusal(toMyself)).code).toBe('BAD_REQUEST');
    const before = await owner.visitor.client.billing.get.query({ accountId });
    await owner.visitor.client.team.transfer.mutate({ accountId, userId: admin.userId });
    expect(await rolesIn(owner)).toEqual({ [admin.email]: 'owner', [owner.email]: 'admin' });
    const after = await admin.visitor.client.billing.get.query({ accountId });
    expect(after.availableNanoUsd).toBe(before.availableNanoUsd);
    expect(after.autoTopUp?.enabled).toBe(false);
    expect(await sql`SELECT 1 FROM payment_methods WHERE account_id = ${accountId}`).toHaveLength(0);
    expect((await site.newestMailTo(admin.email)).text).toContain('transferred the account');
    expect((await site.newestMailTo(owner.email)).text).toContain(admin.email);
    const again = owner.visitor.client.team.transfer.mutate({ accountId, userId: admin.userId });
    expect((await getRefusal(again)).code).toBe('FORBIDDEN');
  });

  it('cannot be transferred to non-members or unverified users', async () => {
    const owner = await plant(site, { isConfirmed: true });
    const { accountId } = owner;
    const outsider = await plant(site);
    const toOutsider = owner.visitor.client.team.transfer.mutate({ accountId, userId: outsider.userId });
    expect((await getRefusal(toOutsider)).code).toBe('NOT_FOUND');
    const unverified = await plant(site, { joins: { accountId, role: 'member' } });
    await site.deps.db.sql`UPDATE users SET email_verified_at = NULL WHERE email = ${unverified.email}`;
    const toUnverified = owner.visitor.client.team.transfer.mutate({ accountId, userId: unverified.userId });
    expect((await getRefusal(toUnverified)).code).toBe('BAD_REQUEST');
    expect((await rolesIn(owner))[owner.email]).toBe('owner');
  });

  it('has one owner after concurrent transfers', async () => {
    const owner = await plant(site, { isConfirmed: true });
    const { accountId } = owner;
    const heirs = [
      await plant(site, { joins: { accountId, role: 'admin' } }),
      await plant(site, { joins: { accountId, role: 'admin' } }),
    ];
    const results = await Promise.allSettled(
      heirs.map(async (heir) =>
        owner.visitor.client.team.transfer.mutate({ accountId, userId: heir.userId }),
      ),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(Object.values(await rolesIn(owner)).toSorted()).toEqual(['admin', 'admin', 'owner']);
  });

  it('has a name that an admin changes', async () => {
    const owner = await plant(site);
    const member = await plant(site, { joins: { accountId: owner.accountId, role: 'member' } });
    const { accountId } = owner;
    await owner.visitor.client.team.rename.mutate({ accountId, name: '  Acme ' });
    const { accounts } = await member.visitor.client.session.get.query();
    expect(accounts.find(({ id }) => id === accountId)?.name).toBe('Acme');
    expect(
      (await getRefusal(member.visitor.client.team.rename.mutate({ accountId, name: 'Mine' }))).code,
    ).toBe('FORBIDDEN');
    expect(
      await getRefusal(owner.visitor.client.team.rename.mutate({ accountId, name: 'https://x.example' })),
    ).toMatchObject({ code: 'BAD_REQUEST', zodIssues: [expect.objectContaining({ path: 'name' })] });
  });

  it('is asked for a name once, which its owner may decline', async () => {
    const named = await plant(site);
    const declined = await plant(site);
    const read = async ({ visitor }: typeof named) => (await visitor.client.session.get.query()).accounts[0];
    expect(await read(named)).toMatchObject({ name: named.email, isNamed: false });
    await named.visitor.client.team.rename.mutate({ accountId: named.accountId, name: 'Acme' });
    expect(await read(named)).toMatchObject({ name: 'Acme', isNamed: true });
    const [entry] = await site.deps.db.sql<{ detail: unknown }[]>`
      SELECT detail FROM audit_log WHERE account_id = ${named.accountId} AND action = 'account.rename'`;
    expect(entry?.detail).toEqual({ from: named.email, to: 'Acme' });
    const { accountId } = declined;
    const keep = named.visitor.client.team.keepName.mutate({ accountId });
    expect(await getRefusal(keep)).toMatchObject({ reason: 'membership' });
    await declined.visitor.client.team.keepName.mutate({ accountId });
    expect(await read(declined)).toMatchObject({ name: declined.email, isNamed: true });
  });
});
