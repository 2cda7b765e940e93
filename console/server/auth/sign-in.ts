import { findUserByEmail } from '@tollgate/db/queries/users';
import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import { forgiveAttempts, throttle } from './throttle.ts';

/** Signs a person in by their password. A wrong one and an unknown e-mail answer alike, after the same work. */
export async function signIn(
  ctx: Context,
  input: { email: string; password: string },
): Promise<{ emailVerified: boolean }> {
  const { db, passwords, sessions } = ctx.deps;
  const here = [input.email, ctx.clientIp];
  // Counted before the password is checked: guesses sent together are all counted.
  await throttle(ctx, { signInByIp: [ctx.clientIp], signInByEmailAndIp: here, signInByEmail: [input.email] });
  const user = await findUserByEmail(db, input.email);
  const isRight = await passwords.verify(user?.passwordHash ?? null, input.password);
  const cookie = user !== null && isRight ? await sessions.open(user.id, user.passwordHash) : null;
  if (user === null || cookie === null)
    throw deny('BAD_REQUEST', 'That e-mail and password do not match.', { reason: 'wrong_credentials' });
  if (ctx.session !== null) await sessions.end(ctx.session.id);
  await forgiveAttempts(ctx, 'signInByEmailAndIp', here);
  ctx.setCookie(cookie);
  return { emailVerified: user.emailVerifiedAt !== null };
}
