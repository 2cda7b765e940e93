import { useRouter } from '@tanstack/react-router';
import { toReturnPath } from '@tollgate/core/people/return-path';
import { chooseAccount } from '../../lib/current-account.ts';
import { paths } from '../../lib/paths.ts';
import { refreshSession } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import type { SignInEntry, VerifiedEntry } from '../../lib/trpc.ts';

/**
 * Continues into the console once there is a session: to the requested page, else to the start page.
 * The router's guards send an unverified login to its verification.
 */
function useEnter(): (redirect?: string, joined?: JoinedAccount) => Promise<void> {
  const router = useRouter();
  return async (redirect, joined) => {
    await refreshSession();
    if (joined !== undefined) {
      chooseAccount(joined.accountId);
      toast.success(`You are now a member of ${joined.accountName}`);
    }
    router.history.push((joined === undefined ? toReturnPath(redirect) : undefined) ?? paths.overview);
  };
}

type JoinedAccount = NonNullable<Extract<SignInEntry, { next: 'console' }>['joined']>;

/** Continues after email verification: into the console, or to the page that sets a password first. */
export function useVerifiedEntry(): (entry: VerifiedEntry, redirect?: string) => Promise<void> {
  const router = useRouter();
  const enter = useEnter();
  return async (entry, redirect) => {
    if (entry.next === 'console') await enter(redirect);
    else await router.navigate({ to: paths.reset, search: { token: entry.token, redirect, first: true } });
  };
}

/** Continues after the first factor: into the console, or to the second step. */
export function useEntry(): (entry: SignInEntry, redirect?: string) => Promise<void> {
  const router = useRouter();
  const enter = useEnter();
  return async (entry, redirect) => {
    if (entry.next === 'console') await enter(redirect, entry.joined);
    else await router.navigate({ to: paths.signInCode, search: redirect === undefined ? {} : { redirect } });
  };
}
