import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { toast } from '../../lib/toast.ts';
import { describeError } from '../../lib/api-error.ts';
import { queryClient } from '../../lib/query-client.ts';
import { trpc } from '../../lib/trpc.ts';

const REFRESH_MS = 15_000;

export function useMembers(accountId: string) {
  return useInfiniteQuery(
    trpc.team.members.infiniteQueryOptions(
      { accountId },
      { getNextPageParam: (page) => page.nextCursor, refetchInterval: REFRESH_MS },
    ),
  );
}

/** @param isEnabled false if the user has no permission */
export function useInvitations(accountId: string, isEnabled: boolean) {
  return useQuery(
    trpc.team.invitations.queryOptions({ accountId }, { enabled: isEnabled, refetchInterval: REFRESH_MS }),
  );
}

export function refreshTeam(): Promise<void> {
  return queryClient.invalidateQueries(trpc.team.pathFilter());
}

export function useResend() {
  return useMutation(
    trpc.team.resendInvitation.mutationOptions({
      onSuccess: refreshTeam,
      onError: (error) =>
        toast.error('The invitation could not be sent', { description: describeError(error) }),
    }),
  );
}

export function useChangeRole() {
  return useMutation(
    trpc.team.changeRole.mutationOptions({
      onSuccess: refreshTeam,
      onError: (error) => toast.error('The role could not be changed', { description: describeError(error) }),
    }),
  );
}
