import { useSuspenseQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { trpc, type Session } from './trpc.ts';

export const sessionQuery = trpc.session.get.queryOptions(undefined, { staleTime: 60_000 });

/** Who is signed in, with what accounts, on what installation. The router loads it before any page. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** The session, from the cache where it is fresh. */
export function loadSession(): Promise<Session> {
  return queryClient.ensureQueryData(sessionQuery);
}

/** Asks the server again: after a sign-in, a sign-out, or a change of e-mail. */
export function refreshSession(): Promise<Session> {
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

/** Forgets everything that belonged to the person who has left, and learns that nobody is signed in. */
export async function forgetSession(): Promise<void> {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  queryClient.removeQueries({ predicate: (query) => query.queryKey !== sessionQuery.queryKey });
  if (session !== undefined) {
    queryClient.setQueryData(sessionQuery.queryKey, { ...session, user: null, accounts: [] });
  }
  await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
}
