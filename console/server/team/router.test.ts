import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { newEmail, signUpUnverified, signUpVerified, type SignedIn } from '../testing/people.ts';
import { plant } from '../testing/planted-people.ts';
import { getRefusal } from '../testing/visitor.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

let site: TestConsole;
beforeAll(async () => {
  site = await createTestConsole();
});
afterAll(() => site[Symbol.asyncDispose]());

async function rolesIn({ visitor, accountId }: SignedIn): Promise<Record<string, string>> {
  const { members } = await visitor.client.team.members.query({ accountId });
  return Object.fromEntries(members.map((member) => [member.email, member.role]));
}

const getAudit = async (accountId: string) => {
  const rows = await site.deps.db.sql<{ action: string }[]>`
    SELECT action FROM audit_log WHERE account_id = ${accountId} ORDER BY at, id`;
  return rows.map((row) => row.action);
};

describe('an invitation', () => {
  it('makes an invitee a member after sign-up and verification', async () => {
    const owner = await plant(site);
    const { accountId } = owner;
    const email = newEmail();
    await owner.visitor.client.team.invite.mutate({ accountId, email, role: 'viewer' });
    const { invitations } = await owner.visitor.client.team.invitations.query({ accountId });
    expect(invitations).toEqual([
      expect.objectContaining({ email, role: 'viewer', invitedByEmail: owner.email }),
    ]);
    const { token, text } = await site.newestMailTo(email);
    expect(text).toContain(`/join?token=${token}`);
    expect(text).toContain(owner.email);

    const shown = await site.visit().client.team.invitation.query({ token });
    expect(shown).toMatchObject({ email, role: 'viewer', accountName: owner.email, state: 'open' });

    const invited = await signUpVerified(site, email);
    const mine = await invited.visitor.client.team.invitationsToMe.query();
    expect(mine.invitations.map(({ id }) => id)).toEqual([shown.id]);
    const joined = await invited.visitor.client.team.accept.mutate({ invitationId: shown.id });
    expect(joined).toEqual({ accountId, accountName: owner.email });
    expect(await rolesIn(owner)).toEqual({ [owner.email]: 'owner', [email]: 'viewer' });
    const { accounts } = await invited.visitor.client.session.get.query();
    expect(accounts.map(({ id, role }) => [id, role])).toEqual([
      [invited.accountId, 'owner'],
      [accountId, 'viewer'],
    ]);
    expect((await site.newestMailTo(owner.email)).text).toContain(`${email} is now a viewer`);
    expect((await site.visit().client.team.invitation.query({ token })).state).toBe('accepted');
    expect(await getAudit(accountId)).toEqual(['invitation.create', 'invitation.accept']);

    const again = invited.visitor.client.team.accept.mutate({ invitationId: shown.id });
    expect((await getRefusal(again)).code).toBe('NOT_FOUND');
  });

  it('works only for the invited address, once verified', async () => {
    const owner = await plant(site);
    const { accountId } = owner;
    const email = newEmail();
    await owner.visitor.client.team.invite.mutate({ accountId, email, role: 'admin' });
    const { token } = await site.newestMailTo(email);
    const { id: invitationId } = await site.visit().client.team.invitation.query({ token });
    const stranger = await plant(site);
    expect((await getRefusal(stranger.visitor.client.team.accept.mutate({ invitationId }))).code).toBe(
      'NOT_FOUND',
    );
    expect((await getRefusal(stranger.visitor.client.team.decline.mutate({ invitationId }))).code).toBe(
      'NOT_FOUND',
    );
    site.advance(2 * MINUTE_MS);
    const unverified = await signUpUnverified(site, email);
    expect((await unverified.visitor.client.team.invitationsToMe.query()).invitations).toEqual([]);
    expect(await getRefusal(unverified.visitor.client.team.accept.mutate({ invitationId }))).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'email_not_verified',
    });
    expect(Object.keys(await rolesIn(owner))).toEqual([owner.email]);
  });

  it('ends after a week, and goes on with a new link when it is sent again', async () => {
    const owner = await plant(site);
    const invited = await plant(site);
    const { accountId } = owner;
    await owner.visitor.client.team.invite.mutate({ accountId, email: invited.email, role: 'member' });
    const { token } = await site.newestMailTo(invited.email);
    const { id: invitationId } = await invited.visitor.client.team.invitation.query({ token });
    site.advance(7 * DAY_MS);
    expect((await invited.visitor.client.team.invitation.query({ token })).state).toBe('expired');
    expect((await invited.visitor.client.team.invitationsToMe.query()).invitations).toEqual([]);
    expect((await getRefusal(invited.visitor.client.team.accept.mutate({ invitationId }))).code).toBe(
      'NOT_FOUND',
    );
    await owner.visitor.client.team.resendInvitation.mutate({ accountId, invitationId });
    const renewed = await site.newestMailTo(invited.email);
    expect(renewed.token).not.toBe(token);
    expect((await getRefusal(invited.visitor.client.team.invitation.query({ token }))).code).toBe(
      'NOT_FOUND',
    );
    expect((await invited.visitor.client.team.invitation.query({ token: renewed.token })).state).toBe('open');
    await invited.visitor.client.team.accept.mutate({ invitationId });
    expect((await rolesIn(owner))[invited.email]).toBe('member');
  });

  it('is sent to an address once a minute, and never to a member', async () => {
    const owner = await plant(site);
    const member = await plant(site, { joins: { accountId: owner.accountId, role: 'member' } });
    const { accountId } = owner;
    const { team } = owner.visitor.client;
    const email = newEmail();
    await team.invite.mutate({ accountId, email, role: 'member' });
    const { invitations } = await team.invitations.query({ accountId });
    const invitationId = invitations[0]?.id ?? '';
    expect((await getRefusal(team.resendInvitation.mutate({ accountId, invitationId }))).code).toBe(
      'TOO_MANY_REQUESTS',
    );
    site.advance(2 * MINUTE_MS);
    expect(
      await getRefusal(team.invite.mutate({ accountId, email: email.toUpperCase(), role: 'viewer' })),
    ).toMatchObject({ code: 'BAD_REQUEST', field: 'email' });
    expect(
      await getRefusal(team.invite.mutate({ accountId, email: member.email, role: 'viewer' })),
    ).toMatchObject({ code: 'BAD_REQUEST', field: 'email' });
    expect(await site.mailsTo(email)).toHaveLength(1);
  });

  it('can be withdrawn by an admin or declined by the invitee, which ends it', async () => {
    const owner = await plant(site);
    const admin = await plant(site, { joins: { accountId: owner.accountId, role: 'admin' } });
    const [first, second] = [await plant(site), await plant(site)];
    const { accountId } = owner;
    for (const { email } of [first, second])
      await owner.visitor.client.team.invite.mutate({ accountId, email, role: 'member' });
    const [toFirst] = (await first.visitor.client.team.invitationsToMe.query()).invitations;
    const [toSecond] = (await second.visitor.client.team.invitationsToMe.query()).invitations;
    await admin.visitor.client.team.withdrawInvitation.mutate({ accountId, invitationId: toFirst?.id ?? '' });
    await second.visitor.client.team.decline.mutate({ invitationId: toSecond?.id ?? '' });
    for (const { visitor } of [first, second]) {
      expect((await visitor.client.team.invitationsToMe.query()).invitations).toEqual([]);
    }
    expect((await admin.visitor.client.team.invitations.query({ accountId })).invitations).toEqual([]);
    const { token } = await site.newestMailTo(first.email);
    expect((await first.visitor.client.team.invitation.query({ token })).state).toBe('withdrawn');
  });

  it('cannot invite an owner, and requires a verified email of the sender', async () => {
    const owner = await plant(site);
    const { accountId } = owner;
    const asOwner = owner.visitor.client.team.invite.mutate({
      accountId,
      email: newEmail(),
      // @ts-expect-error -- no role that may be given
      role: 'owner',
    });
    expect((await getRefusal(asOwner)).code).toBe('BAD_REQUEST');
    const unverified = await plant(site, { isVerified: false });
    expect(
      await getRefusal(
        unverified.visitor.client.team.invite.mutate({
          accountId: unverified.accountId,
          email: newEmail(),
          role: 'viewer',
        }),
      ),
    ).toMatchObject({ code: 'FORBIDDEN', reason: 'email_not_verified' });
  });
});

describe('the people of an account', () => {
  it('are listed by rights, page by page', async () => {
    const owner = await plant(site);
    const { accountId } = owner;
    await site.deps.db.sql`
      INSERT INTO users (id, email, password_hash)
      SELECT 'user_crowd_' || n, 'crowd-' || lpad(n::text, 3, '0') || '@example.com', '' FROM generate_series(1, 120) n`;
    await site.deps.db.sql`
      INSERT INTO memberships (user_id, account_id, role)
      SELECT 'user_crowd_' || n, ${accountId}, CASE WHEN n % 2 = 0 THEN 'viewer' ELSE 'admin' END FROM generate_series(1, 120) n`;
    const first = await owner.visitor.client.team.members.query({ accountId });
    const second = await owner.visitor.client.team.members.query({ accountId, cursor: first.nextCursor });
    expect([first.members.length, second.members.length, second.nextCursor]).toEqual([100, 21, null]);
    const listed = [...first.members, ...second.members];
    expect(new Set(listed.map(({ userId }) => userId)).size).toBe(121);
    expect(listed.map(({ role }) => role)).toEqual([
      'owner',
      ...Array.from({ length: 60 }, () => 'admin'),
      ...Array.from({ length: 60 }, () => 'viewer'),
    ]);
  });

  it('get another role from an admin, but no one touches the owner or themselves', async () => {
    const owner = await plant(site);
    const admin = await plant(site, { joins: { accountId: owner.accountId, role: 'admin' } });
    const member = await plant(site, { joins: { accountId: owner.accountId, role: 'member' } });
    const { accountId } = owner;
    const { team } = admin.visitor.client;
    await team.changeRole.mutate({ accountId, userId: member.userId, role: 'viewer' });
    expect((await rolesIn(owner))[member.email]).toBe('viewer');
    const ownerId = owner.userId;
    for (const change of [
      () => team.changeRole.mutate({ accountId, userId: ownerId, role: 'viewer' }),
      () => team.remove.mutate({ accountId, userId: ownerId }),
    ])
      expect((await getRefusal(change())).code).toBe('FORBIDDEN');
    const myself = team.changeRole.mutate({ accountId, userId: admin.userId, role: 'viewer' });
    expect((await getRefusal(myself)).code).toBe('BAD_REQUEST');
    const makesOwner = team.changeRole.mutate({
      accountId,
      userId: member.userId,
      // @ts-expect-error -- no role that may be given
      role: 'owner',
    });
    expect((await getRefusal(makesOwner)).code).toBe('BAD_REQUEST');
    expect(await rolesIn(owner)).toEqual({
      [owner.email]: 'owner',
      [admin.email]: 'admin',
      [member.email]: 'viewer',
    });
  });

  it('lose everything immediately when they are removed, and the invitations that they sent end', async () => {
    const owner = await plant(site);
    const admin = await plant(site, { joins: { accountId: owner.accountId, role: 'admin' } });
    const { accountId } = owner;
    await admin.visitor.client.team.invite.mutate({ accountId, email: newEmail(), role: 'admin' });
    await admin.visitor.client.keys.list.query({ accountId, state: 'active' });
    await owner.visitor.client.team.remove.mutate({ accountId, userId: admin.userId });
    const { client } = admin.visitor;
    for (const call of [
      () => client.keys.list.query({ accountId, state: 'active' }),
      () => client.billing.get.query({ accountId }),
      () => client.team.members.query({ accountId }),
      () => client.team.leave.mutate({ accountId }),
    ])
      expect(await getRefusal(call())).toMatchObject({ code: 'NOT_FOUND', reason: 'membership' });
    expect((await client.session.get.query()).accounts.map(({ id }) => id)).not.toContain(accountId);
    expect((await owner.visitor.client.team.invitations.query({ accountId })).invitations).toEqual([]);
    expect((await site.newestMailTo(admin.email)).subject).toMatch(/removed/);
    expect(await getAudit(accountId)).toEqual(['invitation.create', 'member.remove']);
  });

  it('may leave, but not the owner', async () => {
    const owner = await plant(site);
    const viewer = await plant(site, { joins: { accountId: owner.accountId, role: 'viewer' } });
    const { accountId } = owner;
    expect((await getRefusal(owner.visitor.client.team.leave.mutate({ accountId }))).code).toBe(
      'BAD_REQUEST',
    );
    await viewer.visitor.client.team.leave.mutate({ accountId });
    expect(await rolesIn(owner)).toEqual({ [owner.email]: 'owner' });
  });
});
