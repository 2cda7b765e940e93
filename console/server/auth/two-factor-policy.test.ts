import { totpCode, totpStepAt } from '@tollgate/auth/totp';
import { setAccountTwoFactor, setOperatorTwoFactor } from '@tollgate/db/queries/accounts/two-factor-policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from '../testing/console-fixture.ts';
import { joinAs, PASSWORD, signUpVerified, type SignedIn } from '../testing/people.ts';
import { plant } from '../testing/planted-people.ts';
import { PROCEDURES, type Things } from '../testing/procedures.ts';
import { getRefusal } from '../testing/visitor.ts';
import { call, furnish, listProcedures } from '../testing/walk-fixture.ts';
import type { Planted } from '../testing/planted-people.ts';

const STEP_MS = 30_000;
/** What a person without a second factor needs to enrol one. */
const ENROLMENT =
  /^(session\.get|auth\.|external\.(start|startConfirm|finish|sendConfirmation|confirm)$|twoFactor\.|passkeys\.|sessions\.confirm|sessions\.sendConfirmationCode$|settings\.setDisplay$|team\.invitation$)/;

let site: TestConsole;
beforeAll(async () => {
  site = await createTestConsole();
});
afterAll(() => site[Symbol.asyncDispose]());

const requireOfAccount = (accountId: string, required = true) =>
  setAccountTwoFactor(site.deps.db, { accountId, required, actorUserId: null });

async function enrol({ visitor }: SignedIn): Promise<void> {
  await visitor.client.sessions.confirm.mutate({ password: PASSWORD });
  const { secret } = await visitor.client.twoFactor.begin.mutate();
  const code = totpCode(secret, totpStepAt(site.deps.clock.nowMs()));
  await visitor.client.twoFactor.turnOn.mutate({ code });
  site.advance(STEP_MS);
}

describe('an account that requires two-factor authentication', () => {
  let victim: { owner: Planted; things: Things };
  beforeAll(async () => {
    victim = await furnish(site);
    await requireOfAccount(victim.owner.accountId);
  });

  const steps = listProcedures().flatMap(([path, type]) => {
    const requirement = PROCEDURES[path];
    return requirement?.needs === 'role' ? [[path, type, requirement] as const] : [];
  });

  it.each(steps)('refuses %s to its owner without a second factor', async (path, type, requirement) => {
    const { owner, things } = victim;
    const input = { ...requirement.input(things), accountId: owner.accountId };
    const { refusal } = await call(site, owner, { path, type, input });
    expect(refusal).toMatchObject({ code: 'FORBIDDEN', reason: 'two_factor_required' });
  });

  it.each(['/exports/usage.csv', '/exports/requests.csv', '/exports/audit.csv'])(
    'refuses %s to its owner without a second factor',
    async (path) => {
      const { visitor, accountId } = victim.owner;
      expect((await visitor.get(`${path}?accountId=${accountId}`)).status).toBe(403);
    },
  );

  it('opens for a member once they enrolled, at the same session and at the next', async () => {
    const owner = await plant(site);
    const member = await joinAs(site, 'member', owner.accountId);
    await requireOfAccount(owner.accountId);
    const { accountId } = owner;
    const list = () => member.visitor.client.keys.list.query({ accountId, state: 'active' });
    expect((await getRefusal(list())).reason).toBe('two_factor_required');
    const { accounts, user } = await member.visitor.client.session.get.query();
    expect(accounts.find(({ id }) => id === accountId)?.requiresTwoFactor).toBe(true);
    expect(user?.secondFactor).toEqual({ isEnrolled: false, isConfirmed: false, isRequired: false });
    await enrol(member);
    await list();
    expect((await member.visitor.client.session.get.query()).user?.secondFactor).toMatchObject({
      isConfirmed: true,
    });
  });

  it('leaves other accounts of the person open, and keys as they are', async () => {
    const { owner } = victim;
    const other = await plant(site, { joins: { accountId: owner.accountId, role: 'viewer' } });
    const { accounts } = await other.visitor.client.session.get.query();
    const own = accounts.find(({ id }) => id !== owner.accountId)?.id ?? '';
    await other.visitor.client.keys.list.query({ accountId: own, state: 'active' });
    const [key] = await site.deps.db
      .sql`SELECT revoked_at AS at FROM api_keys WHERE id = ${victim.things.keyId}`;
    expect(key).toEqual({ at: null });
  });

  it('cannot be entered with only the password if the member has a passkey, nor with a newly added factor', async () => {
    const owner = await plant(site);
    const member = await joinAs(site, 'member', owner.accountId);
    const { user } = await member.visitor.client.session.get.query();
    await site.deps.db.sql`
      INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, name)
      VALUES (${`pk ${user?.id}`}, ${user?.id ?? ''}, ${user?.id ?? ''}, 'k', 0, 'Laptop')`;
    await requireOfAccount(owner.accountId);
    const thief = site.visit();
    await thief.client.auth.signIn.mutate({ email: member.email, password: PASSWORD });
    const { accountId } = owner;
    const list = thief.client.keys.list.query({ accountId, state: 'active' });
    expect((await getRefusal(list)).reason).toBe('two_factor_required');
    await thief.client.sessions.confirm.mutate({ password: PASSWORD });
    for (const change of [
      () => thief.client.twoFactor.begin.mutate(),
      () => thief.client.passkeys.beginAdding.mutate(),
      () => thief.client.passkeys.remove.mutate({ id: `pk ${user?.id}` }),
    ])
      expect((await getRefusal(change())).reason).toBe('two_factor_required');
  });

  it('is turned on by an admin who has a second factor and re-authenticated, and is audited', async () => {
    const person = await signUpVerified(site);
    const { accountId } = person;
    const { client } = person.visitor;
    const set = (required: boolean) => client.teamTwoFactor.set.mutate({ accountId, required });
    expect((await getRefusal(set(true))).reason).toBe('confirm_identity');
    await client.sessions.confirm.mutate({ password: PASSWORD });
    expect((await getRefusal(set(true))).reason).toBe('own_factor');
    await enrol(person);
    await joinAs(site, 'viewer', accountId);
    await set(true);
    expect(await client.teamTwoFactor.get.query({ accountId })).toEqual({ required: true, peopleWithout: 1 });
    await set(false);
    const { entries } = await client.audit.list.query({ accountId });
    expect(entries.slice(0, 2).map(({ action }) => action)).toEqual([
      'account.two_factor_optional',
      'account.two_factor_required',
    ]);
  });
});

describe('an installation that requires two-factor authentication of operators', () => {
  const require = (required: boolean) =>
    setOperatorTwoFactor(site.deps.db, { required, now: new Date(), actorUserId: null });

  const steps = listProcedures()
    .filter(([path]) => !ENROLMENT.test(path))
    .flatMap(([path, type]) => {
      const requirement = PROCEDURES[path];
      return requirement === undefined || (requirement.needs === 'nothing' && !path.startsWith('mailbox.'))
        ? []
        : [[path, type, requirement] as const];
    });

  it.each(steps)('refuses %s to one without a second factor', async (path, type, requirement) => {
    await require(true);
    const operator = await plant(site, { isOperator: true, isConfirmed: true });
    const { accountId } = operator;
    const input = requirement.needs === 'role' ? { accountId } : requirement.input;
    const { refusal } = await call(site, operator, { path, type, input });
    if (path.startsWith('mailbox.')) expect(refusal?.code).toBe('NOT_FOUND');
    else expect(refusal).toMatchObject({ code: 'FORBIDDEN', reason: 'two_factor_required' });
  });

  it('admits sessions with a second factor, and changes nothing for others', async () => {
    await require(true);
    const confirmed = await plant(site, { isOperator: true, hasSecondFactor: true });
    expect((await confirmed.visitor.client.operator.twoFactor.get.query()).required).toBe(true);
    const person = await plant(site);
    expect((await person.visitor.client.settings.profile.query()).name).toBe('');
  });

  it('is turned on only by an operator with a second factor', async () => {
    await require(false);
    const weak = await plant(site, { isOperator: true, isConfirmed: true });
    const set = weak.visitor.client.operator.twoFactor.set.mutate({ required: true });
    expect((await getRefusal(set)).reason).toBe('own_factor');
    const strong = await plant(site, { isOperator: true, isConfirmed: true, hasSecondFactor: true });
    await strong.visitor.client.operator.twoFactor.set.mutate({ required: true });
    expect(await strong.visitor.client.operator.twoFactor.get.query()).toMatchObject({ required: true });
    await require(false);
  });
});
