import { useMutation } from '@tanstack/react-query';
import { toast } from './toast.ts';
import { chooseAccount } from './current-account.ts';
import { queryClient } from './query-client.ts';
import { refreshSession } from './session.ts';
import { trpc } from './trpc.ts';

/** Accepts an invitation and opens its account, or declines it. @param onAnswered called after that */
export function useAnswerInvitation(onAnswered: () => Promise<void> | void) {
  const refresh = () => queryClient.invalidateQueries(trpc.team.pathFilter());
  const accept = useMutation(
    trpc.team.accept.mutationOptions({
      onSuccess: async ({ accountId, accountName }) => {
        await refreshSession();
        chooseAccount(accountId);
        await refresh();
        toast.success(`You are now a member of ${accountName}`);
        await onAnswered();
      },
    }),
  );
  const decline = useMutation(
    trpc.team.decline.mutationOptions({
      onSuccess: async () => {
        await refresh();
        await onAnswered();
      },
    }),
  );
  return { accept, decline, error: accept.error ?? decline.error };
}
