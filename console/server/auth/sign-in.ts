import { findUserByEmail } from '@tollgate/db/queries/users/users';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import { countAttempt } from './count-attempt.ts';
import { enter, type Entry } from './enter.ts';

/** Signs a person in by their password. A wrong one and an unknown email answer alike, after the same work. */
export async function signIn(ctx: Context, input: { email: string; password: string }): Promise<Entry> {
  const { db, passwords } = ctx.deps;
  const user = await findUserByEmail(db, input.email);
  const attempt = await countAttempt(ctx, { step: 'password', login: input.email, user });
  const isRight = await passwords.verify(user?.passwordHash ?? null, input.password);
  const entry = user !== null && isRight ? await enter(ctx, user, user.passwordHash) : null;
  if (user === null || entry === null)
    throw deny('BAD_REQUEST', 'Wrong email or password.', { reason: 'wrong_credentials' });
  await attempt.forgive();
  return entry;
}
