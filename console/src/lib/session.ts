import { DEFAULT_DISPLAY } from '@tollgate/core/people/display-preferences';
import { useSuspenseQuery } from '@tanstack/react-query';
import { applyDisplay } from './display.ts';
import { queryClient } from './query-client.ts';
import { clearTab } from './tab-storage.ts';
import { trpc, type Session } from './trpc.ts';

const VERIFIED_EVERY_MS = 5_000;

export const sessionQuery = trpc.session.get.queryOptions(undefined, { staleTime: 60_000 });

/** Who is signed in, with what accounts, on what installation. The router loads it before any page. */
export function useSession(): Session {
  return useSuspenseQuery({
    ...sessionQuery,
    // The email is often verified in another tab, or on another device.
    refetchInterval: ({ state }) => (isVerified(state.data) ? false : VERIFIED_EVERY_MS),
    refetchOnWindowFocus: ({ state }) => (isVerified(state.data) ? true : 'always'),
  }).data;
}

/** True for visitors too: they wait for nothing. */
function isVerified(session: Session | undefined): boolean {
  return session?.user?.emailVerified ?? true;
}

/** True while an operator looks at someone's account: the server refuses whatever changes something, also their own. */
export function useIsViewing(): boolean {
  return useSession().viewing !== null;
}

/** The session, from the cache if it is fresh. The tab forgets what someone else kept in it. */
export async function loadSession(): Promise<Session> {
  const session = await queryClient.ensureQueryData(sessionQuery);
  clearTab(session.user?.id ?? null);
  return show(session);
}

/** Asks the server again: after a sign-in, a sign-out, or a change of email. */
export async function refreshSession(): Promise<Session> {
  return show(await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }));
}

/** The pages that follow show dates and amounts as the user wants them. */
function show(session: Session): Session {
  applyDisplay(session.user?.display ?? DEFAULT_DISPLAY);
  return session;
}

const leaving = new Set<() => void>();

/** Says what a page keeps next to the queries, and how it is forgotten when the person leaves. */
export function onLeave(forget: () => void): void {
  leaving.add(forget);
}

let lastUserId: string | null = null;

// Another tab may sign someone else in: however this one learns it, nothing of the former user may go to the new one.
queryClient.getQueryCache().subscribe(({ type }) => {
  if (type !== 'updated') return;
  const userId = queryClient.getQueryData(sessionQuery.queryKey)?.user?.id ?? null;
  if (userId === lastUserId) return;
  if (lastUserId !== null) forgetKept(userId);
  lastUserId = userId;
});

/** @param userId who is signed in now; null: no one */
function forgetKept(userId: string | null): void {
  for (const forget of leaving) forget();
  clearTab(userId);
}

/** Forgets everything that belonged to the person who has left, and learns that no one is signed in. */
export async function forgetSession(): Promise<void> {
  forgetKept(null);
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  queryClient.removeQueries({ predicate: (query) => query.queryKey !== sessionQuery.queryKey });
  if (session !== undefined) {
    queryClient.setQueryData(sessionQuery.queryKey, { ...session, user: null, accounts: [], viewing: null });
  }
  await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
