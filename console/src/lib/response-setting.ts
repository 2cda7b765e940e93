import { useQuery } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';
import { trpc } from './trpc.ts';

/** The account's setting for stored responses; `data` null: off. */
export function useResponseSetting(accountId: string) {
  return useQuery(trpc.responses.setting.queryOptions({ accountId }));
}

export function refreshResponseSetting(): Promise<void> {
  return queryClient.invalidateQueries(trpc.responses.setting.pathFilter());
}
