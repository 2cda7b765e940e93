import { addMember } from '@tollgate/db/queries/team/members';
import type { Role } from '@tollgate/core/people/roles';
import type { TestConsole } from './console-fixture.ts';
import type { Visitor, VisitorOptions } from './visitor.ts';

export const PASSWORD = 'five lorries in the rain';

export interface SignedIn {
  visitor: Visitor;
  email: string;
  accountId: string;
}

let serial = 0;

export function newEmail(): string {
  serial += 1;
  return `person-${serial}@example.com`;
}

/** Signs up and proves the mailbox, through the procedures. */
export async function signUpVerified(
  site: TestConsole,
  email = newEmail(),
  options: VisitorOptions = {},
): Promise<SignedIn> {
  const visitor = site.visit(options);
  await visitor.client.auth.signUp.mutate({ email, password: PASSWORD });
  const { code } = await site.newestMailTo(email);
  await visitor.client.auth.verifyEmail.mutate({ email, code });
  return describe(visitor, email);
}

/** An operator. */
export async function signUpOperator(site: TestConsole): Promise<SignedIn> {
  const person = await signUpVerified(site);
  await site.deps.db.sql`UPDATE users SET is_operator = true WHERE email = ${person.email}`;
  return person;
}

/** Signs up and in without verifying the email. */
export async function signUpUnverified(site: TestConsole, email = newEmail()): Promise<SignedIn> {
  const visitor = site.visit();
  await visitor.client.auth.signUp.mutate({ email, password: PASSWORD });
  await visitor.client.auth.signIn.mutate({ email, password: PASSWORD });
  return describe(visitor, email);
}

/** A user with a role in another user's account. */
export async function joinAs(site: TestConsole, role: Role, accountId: string): Promise<SignedIn> {
  const person = await signUpVerified(site);
  const { user } = await person.visitor.client.session.get.query();
  if (user === null) throw new Error('The visitor is not signed in');
  await addMember(site.deps.db, { userId: user.id, accountId, role });
  return { ...person, accountId };
}

async function describe(visitor: Visitor, email: string): Promise<SignedIn> {
  const { accounts } = await visitor.client.session.get.query();
  const [account] = accounts;
  if (account === undefined) throw new Error('The person has no account');
  return { visitor, email, accountId: account.id };
}
