import { useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { trpc } from './trpc.ts';

/** The account's request logging setting; `data` null: off. */
export function useBodySetting(accountId: string) {
  return useQuery(trpc.bodies.setting.queryOptions({ accountId }));
}

/** Forgets what was read of bodies, too: it may be deleted by now. */
export function refreshBodies(): Promise<void> {
  queryClient.removeQueries(trpc.bodies.get.pathFilter());
  return queryClient.invalidateQueries(trpc.bodies.setting.pathFilter());
}
