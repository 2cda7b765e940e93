import { redirect, type ParsedLocation } from '@tanstack/react-router';
import { loadSession } from '../lib/session.ts';
import { paths } from './paths.ts';

/** Before a page of the console: a verified session, or the way to one and back. */
export async function requireSession({ location }: { location: ParsedLocation }): Promise<void> {
  const { user } = await loadSession();
  if (user === null) {
    const isHome = location.pathname === paths.keys && location.searchStr === '';
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way to redirect
    throw redirect({ to: paths.signIn, search: isHome ? {} : { redirect: location.href } });
  }
  if (!user.emailVerified) {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's way to redirect
    throw redirect({ to: paths.verify });
  }
}

/** Before sign-in and sign-up: whoever is signed in already goes on. */
export async function requireVisitor(): Promise<void> {
  const { user } = await loadSession();
  // oxlint-disable-next-line typescript/only-throw-error -- the router's way to redirect
  if (user !== null) throw redirect({ to: paths.keys });
}

/** Before the verification: there must be an address to verify. */
export async function requireAddress(search: {
  email?: string | undefined;
  token?: string | undefined;
}): Promise<void> {
  const { user } = await loadSession();
  if (search.token !== undefined) return;
  // oxlint-disable-next-line typescript/only-throw-error -- the router's way to redirect
  if (user?.emailVerified === true) throw redirect({ to: paths.keys });
  // oxlint-disable-next-line typescript/only-throw-error -- the router's way to redirect
  if (user === null && search.email === undefined) throw redirect({ to: paths.signIn });
}

export async function requireMailbox(): Promise<{ hasMailbox: boolean }> {
  const { installation } = await loadSession();
  return { hasMailbox: installation.mailbox };
}
