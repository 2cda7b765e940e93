import { useQuery } from '@tanstack/react-query';
import { trpc } from './trpc.ts';

/** Every model of the installation as it is for the account. */
export function useCatalogue(accountId: string) {
  return useQuery(trpc.models.catalogue.queryOptions({ accountId }, { staleTime: 60_000 }));
}
