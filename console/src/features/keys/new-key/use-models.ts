import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../../lib/trpc.ts';

/** The models that the account can call, with their prices. */
export function useModels(accountId: string) {
  return useQuery(trpc.models.list.queryOptions({ accountId }, { staleTime: 60_000 }));
}
