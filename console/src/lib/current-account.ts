import { hasRole, type Role } from '@tollgate/core/people/roles';
import { useSyncExternalStore } from 'react';
import { useSession } from './session.ts';
import { readStored, writeStored } from './stored.ts';
import type { Account } from './trpc.ts';

const STORAGE_KEY = 'tollgate-account';
const listeners = new Set<() => void>();

/** The account that the pages show: the one chosen last, else the first that the person belongs to. */
export function useCurrentAccount(): Account {
  const account = useAccountOrNone();
  if (account === null) throw new Error('This user is not a member of any account.');
  return account;
}

/** Like `useCurrentAccount`; null if the person belongs to no account. */
export function useAccountOrNone(): Account | null {
  const { accounts } = useSession();
  const chosenId = useSyncExternalStore(subscribe, () => readStored(STORAGE_KEY));
  return accounts.find(({ id }) => id === chosenId) ?? accounts[0] ?? null;
}

/** True if the person's role in the current account has at least the rights of `least`. */
export function useHasRole(least: Role): boolean {
  return hasRole(useCurrentAccount().role, least);
}

export function chooseAccount(accountId: string): void {
  writeStored(STORAGE_KEY, accountId);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
