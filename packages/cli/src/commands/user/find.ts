import { findUserByEmail, type User } from '@tollgate/db/queries/users/users';
import type { Connection } from '@tollgate/db/transaction';
import { Failure } from '../../failure.ts';

/** @throws Failure if no user has that email */
export async function getUser(db: Connection, email: string): Promise<User> {
  const user = await findUserByEmail(db, email);
  if (user !== null && user.deletedAt === null) return user;
  throw new Failure(
    'user_not_found',
    `No user has the email ${email}. List account owners with \`tollgate account list\`.`,
  );
}
