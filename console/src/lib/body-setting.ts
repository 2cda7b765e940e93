import { useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { trpc } from './trpc.ts';

/** Whether the account keeps what is asked and answered; `data` null: it does not. */
export function useBodySetting(accountId: string) {
  return useQuery(trpc.bodies.setting.queryOptions({ accountId }));
}

/** Forgets what was read of bodies, too: it may be deleted by now. */
export function refreshBodies(): Promise<void> {
  queryClient.removeQueries(trpc.bodies.get.pathFilter());
  return queryClient.invalidateQueries(trpc.bodies.setting.pathFilter());
}
