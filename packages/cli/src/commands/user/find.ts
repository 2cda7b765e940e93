import { findUserByEmail, type User } from '@tollgate/db/queries/users/users';
import type { Connection } from '@tollgate/db/transaction';
import { Failure } from '../../failure.ts';

/** @throws Failure where nobody signs in with that e-mail */
export async function getUser(db: Connection, email: string): Promise<User> {
  const user = await findUserByEmail(db, email);
  if (user !== null && user.deletedAt === null) return user;
  throw new Failure(
    'user_not_found',
    `Nobody signs in with ${email}: \`tollgate account list\` shows the owners of accounts`,
  );
}
