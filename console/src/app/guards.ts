import { notFound, redirect, type ParsedLocation } from '@tanstack/react-router';
import { chooseAccount, keepTabAccount } from '../lib/current-account.ts';
import { loadSession } from '../lib/session.ts';
import { paths } from '../lib/paths.ts';

/** Before a page of the console: a verified session, or the way to one and back. */
export async function requireSession({ location }: { location: ParsedLocation }): Promise<void> {
  const session = await loadSession();
  const { user, accounts } = session;
  keepTabAccount(session);
  const wantedId = new URLSearchParams(location.searchStr).get('account');
  // A link that names an account opens in it.
  if (wantedId !== null && accounts.some(({ id }) => id === wantedId)) chooseAccount(wantedId);
  if (user === null) {
    const isHome = location.pathname === paths.overview && location.searchStr === '';
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way to redirect
    throw redirect({ to: paths.signIn, search: isHome ? {} : { redirect: location.href } });
  }
  if (!user.emailVerified) {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way to redirect
    throw redirect({ to: paths.verify });
  }
}

/** Before sign-in and sign-up: anyone who is signed in already goes on. */
export async function requireVisitor(): Promise<void> {
  const { user } = await loadSession();
  // oxlint-disable-next-line typescript/only-throw-error -- the router's way to redirect
  if (user !== null) throw redirect({ to: paths.overview });
}

/** Before the verification: there must be an address to verify. */
export async function requireAddress(search: {
  email?: string | undefined;
  token?: string | undefined;
}): Promise<void> {
  const { user } = await loadSession();
  if (search.token !== undefined) return;
  // oxlint-disable-next-line typescript/only-throw-error -- the router's way to redirect
  if (user?.emailVerified === true) throw redirect({ to: paths.overview });
  // oxlint-disable-next-line typescript/only-throw-error -- the router's way to redirect
  if (user === null && search.email === undefined) throw redirect({ to: paths.signIn });
}

export async function requireMailbox(): Promise<{ hasMailbox: boolean }> {
  const { installation } = await loadSession();
  return { hasMailbox: installation.mailbox };
}

/** Before a page of the operators: as if it did not exist for everyone else, and while one looks at an account. */
export async function requireOperator(): Promise<void> {
  const { user, viewing } = await loadSession();
  // oxlint-disable-next-line typescript/only-throw-error -- the router's way to say 404
  if (user?.isOperator !== true || viewing !== null) throw notFound();
}
