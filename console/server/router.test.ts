import { hasRole, ROLES, type Role } from '@tollgate/core/people/roles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestConsole, type TestConsole } from './testing/console-fixture.ts';
import { plant, type Planted } from './testing/planted-people.ts';
import { PROCEDURES, type Requirement, type Things } from './testing/procedures.ts';
import { call, furnish, listProcedures, noThings, type WalkRefusal } from './testing/walk-fixture.ts';

interface Step {
  path: string;
  type: string;
  requirement: Requirement;
}
type RoleStep = Step & { requirement: Extract<Requirement, { needs: 'role' }> };

const steps = listProcedures().flatMap(([path, type]): Step[] => {
  const requirement = PROCEDURES[path];
  return requirement === undefined ? [] : [{ path, type, requirement }];
});
const named = <S extends Step>(some: S[]) => some.map((step) => [step.path, step] as const);
const roleSteps = steps.filter((step): step is RoleStep => step.requirement.needs === 'role');
const sessionSteps = steps.filter(({ requirement }) => requirement.needs !== 'nothing');
const operatorSteps = steps.filter(({ requirement }) => requirement.needs.endsWith('operator'));

let site: TestConsole;
/** An account with one object of every kind, and the owner of another account. */
let victim: { owner: Planted; things: Things };
let stranger: Planted;
let operator: Planted;
beforeAll(async () => {
  site = await createTestConsole();
  victim = await furnish(site);
  stranger = await plant(site);
  operator = await plant(site, { isOperator: true });
});
afterAll(() => site[Symbol.asyncDispose]());

const getInput = (requirement: Requirement, accountId: string, things: Things) =>
  requirement.needs === 'role' ? { ...requirement.input(things), accountId } : requirement.input;

interface Cast {
  accountId: string;
  people: Record<Role, Planted>;
}

/** An account with someone of each role. */
async function cast(): Promise<Cast> {
  const owner = await plant(site);
  const { accountId } = owner;
  const as = (role: Role) => plant(site, { joins: { accountId, role } });
  return {
    accountId,
    people: { owner, admin: await as('admin'), member: await as('member'), viewer: await as('viewer') },
  };
}

/** True if the refusal is about the caller, not about the input. */
function isAboutCaller(refusal: WalkRefusal | null): boolean {
  if (refusal === null) return false;
  const { code, reason } = refusal;
  return code === 'UNAUTHORIZED' || reason === 'role' || reason === 'membership';
}

it('knows every procedure of the router: a new one must be added to testing/procedures.ts', () => {
  expect(Object.keys(PROCEDURES).toSorted()).toEqual(
    listProcedures()
      .map(([path]) => path)
      .toSorted(),
  );
});

describe('a user who is not signed in', () => {
  it.each(named(sessionSteps))('calls %s', async (_, { path, type, requirement }) => {
    for (const input of [getInput(requirement, victim.owner.accountId, victim.things), {}]) {
      const { refusal } = await call(site, null, { path, type, input });
      expect(refusal?.code).toBe('UNAUTHORIZED');
    }
  });
});

describe('no one with a lesser role, and everyone with the role', () => {
  it.each(named(roleSteps))('%s', async (_, { path, type, requirement }) => {
    // What only reads leaves everyone as they were.
    const { accountId, people } = type === 'mutation' ? await cast() : shared;
    for (const role of ROLES) {
      const input = getInput(requirement, accountId, noThings());
      const { refusal } = await call(site, people[role], { path, type, input });
      if (!hasRole(role, requirement.least)) {
        expect({ role, ...refusal }).toMatchObject({ role, code: 'FORBIDDEN', reason: 'role' });
        continue;
      }
      expect({ role, isKeptOut: isAboutCaller(refusal) }).toEqual({ role, isKeptOut: false });
      expect(refusal?.code).not.toBe('INTERNAL_SERVER_ERROR');
      expect(refusal?.zodIssues ?? null, 'the input in testing/procedures.ts').toBeNull();
    }
  });

  it.each(named(roleSteps.filter(({ requirement }) => requirement.isVerified)))(
    '%s requires a verified email',
    async (_, { path, type, requirement }) => {
      const person = await plant(site, { isVerified: false });
      const input = getInput(requirement, person.accountId, noThings());
      const { refusal } = await call(site, person, { path, type, input });
      expect(refusal).toMatchObject({ code: 'FORBIDDEN', reason: 'email_not_verified' });
    },
  );

  let shared: Cast;
  beforeAll(async () => {
    shared = await cast();
  });
});

describe("another user's account", () => {
  it.each(named(roleSteps))('does not exist for %s', async (_, { path, type, requirement }) => {
    const input = getInput(requirement, victim.owner.accountId, victim.things);
    for (const person of [stranger, operator]) {
      const { refusal } = await call(site, person, { path, type, input });
      expect(refusal).toMatchObject({ code: 'NOT_FOUND', reason: 'membership' });
    }
  });

  const naming = roleSteps.filter(
    ({ requirement }) =>
      JSON.stringify(requirement.input(noThings())) !== JSON.stringify(requirement.input(noThings())),
  );
  it.each(named(naming))(
    'gives %s the same response as for missing objects',
    async (_, { path, type, requirement }) => {
      const before = await read(victim.owner.accountId);
      const { accountId } = stranger;
      const answers = [];
      for (const things of [victim.things, noThings()])
        answers.push(
          await call(site, stranger, { path, type, input: getInput(requirement, accountId, things) }),
        );
      const [foreign, none] = answers;
      expect(foreign?.refusal).toEqual(none?.refusal);
      if (foreign?.refusal === null) expect(timeless(foreign.text)).toBe(timeless(none?.text ?? ''));
      for (const id of Object.values(victim.things)) expect(foreign?.text).not.toContain(id);
      expect(await read(victim.owner.accountId)).toEqual(before);
    },
  );

  /** Times in the response, such as the start of a report, differ from call to call. */
  const timeless = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '');

  async function read(accountId: string): Promise<unknown> {
    const { sql } = site.deps.db;
    return Promise.all([
      sql`SELECT id, xmin::text FROM api_keys WHERE account_id = ${accountId}`,
      sql`SELECT user_id, role, xmin::text FROM memberships WHERE account_id = ${accountId}`,
      sql`SELECT id, xmin::text FROM invitations WHERE account_id = ${accountId}`,
      sql`SELECT id FROM audit_log WHERE account_id = ${accountId}`,
    ]);
  }
});

describe('a procedure for operators', () => {
  it.each(named(operatorSteps))('is %s', async (_, { path, type, requirement }) => {
    const unverified = await plant(site, { isOperator: true, isVerified: false });
    const ask = (person: Planted) => call(site, person, { path, type, input: requirement.input });
    for (const person of [stranger, victim.owner]) {
      const { refusal } = await ask(person);
      expect(['FORBIDDEN', 'NOT_FOUND']).toContain(refusal?.code);
      expect(refusal?.zodIssues ?? null).toBeNull();
    }
    expect((await ask(unverified)).refusal?.reason).toBe('email_not_verified');
    expect(isAboutCaller((await ask(operator)).refusal)).toBe(false);
  });
});

describe('a login', () => {
  const asks = (needs: Requirement['needs']) =>
    named(steps.filter(({ requirement }) => requirement.needs === needs));

  it.each(asks('confirmed'))('is confirmed again before %s', async (_, { path, type, requirement }) => {
    const { refusal } = await call(site, stranger, { path, type, input: requirement.input });
    expect(refusal).toMatchObject({ code: 'FORBIDDEN', reason: 'confirm_identity' });
  });

  it.each(asks('confirmed_operator'))(
    'is confirmed again by an operator before %s',
    async (_, { path, type, requirement }) => {
      const { refusal } = await call(site, operator, { path, type, input: requirement.input });
      expect(refusal).toMatchObject({ code: 'FORBIDDEN', reason: 'confirm_identity' });
    },
  );

  it.each(named(roleSteps.filter((step) => step.requirement.isConfirmed)))(
    'is confirmed again before %s, whatever its role',
    async (_, { path, type, requirement }) => {
      const owner = await plant(site);
      const input = getInput(requirement, owner.accountId, noThings());
      const { refusal } = await call(site, owner, { path, type, input });
      expect(refusal).toMatchObject({ code: 'FORBIDDEN', reason: 'confirm_identity' });
    },
  );

  it.each([...asks('verified'), ...asks('confirmed')])(
    'must be verified before %s',
    async (_, { path, type, requirement }) => {
      const unverified = await plant(site, { isVerified: false });
      const { refusal } = await call(site, unverified, { path, type, input: requirement.input });
      expect(refusal).toMatchObject({ code: 'FORBIDDEN', reason: 'email_not_verified' });
    },
  );
});

it.each(named(steps))(
  '%s says nothing of the inside when its input is nonsense',
  async (_, { path, type }) => {
    for (const input of [null, 'nonsense', { email: { $ne: 1 }, token: 5, accountId: ['x'] }]) {
      const { text } = await call(site, null, { path, type, input });
      expect(text).not.toMatch(/stack|node_modules|select |drizzle|postgres/i);
      expect(text).not.toContain('INTERNAL_SERVER_ERROR');
    }
  },
);
