import { hasRole, type Role } from '@tollgate/core/people/roles';
import { useSyncExternalStore } from 'react';
import { queryClient } from './query-client.ts';
import { onLeave, sessionQuery, useSession } from './session.ts';
import { client, type Account, type Session } from './trpc.ts';

const listeners = new Set<() => void>();
/** The account of this tab: another device that opens another account must not switch it. */
let tabAccountId: string | null = null;

onLeave(() => {
  tabAccountId = null;
});

/** The account that the pages show: the one opened last, on any device, else the first that the person belongs to. */
export function useCurrentAccount(): Account {
  const account = useAccountOrNone();
  if (account === null) throw new Error('This user is not a member of any account.');
  return account;
}

/** Like `useCurrentAccount`; null if the person belongs to no account. */
export function useAccountOrNone(): Account | null {
  const { accounts, lastAccountId } = useSession();
  const tabId = useSyncExternalStore(subscribe, () => tabAccountId);
  const find = (wantedId: string | null) => accounts.find(({ id }) => id === wantedId);
  return find(tabId) ?? find(lastAccountId) ?? accounts[0] ?? null;
}

/** True if the person's role in the current account has at least the rights of `least`. */
export function useHasRole(least: Role): boolean {
  return hasRole(useCurrentAccount().role, least);
}

/** Opens an account in this tab, and on every device from the next visit. */
export function chooseAccount(accountId: string): void {
  setTabAccount(accountId);
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (session === undefined || session.viewing !== null || session.lastAccountId === accountId) return;
  queryClient.setQueryData(sessionQuery.queryKey, { ...session, lastAccountId: accountId });
  // The account is open in this tab; only the next visit depends on the server.
  client.session.chooseAccount.mutate({ accountId }).catch(() => undefined);
}

/** Keeps this tab in the account that it opens with. */
export function keepTabAccount({ accounts, lastAccountId, viewing }: Session): void {
  if (viewing !== null || tabAccountId !== null) return;
  if (accounts.some(({ id }) => id === lastAccountId)) setTabAccount(lastAccountId);
}

function setTabAccount(accountId: string | null): void {
  tabAccountId = accountId;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
