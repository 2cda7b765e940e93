import { useQuery } from '@tanstack/react-query';
import type { RetentionKind } from '@tollgate/core/requests/retention';
import { queryClient } from './query-client.ts';
import { trpc } from './trpc.ts';

/** The account's setting for one kind of stored data; `data` null: off. */
export function useRetention(kind: RetentionKind, accountId: string) {
  return useQuery(trpc[kind].setting.queryOptions({ accountId }));
}

export function refreshRetention(kind: RetentionKind): Promise<void> {
  // Forgets what was read of payloads, too: it may be deleted by now.
  if (kind === 'bodies') queryClient.removeQueries(trpc.bodies.get.pathFilter());
  return queryClient.invalidateQueries(trpc[kind].setting.pathFilter());
}
