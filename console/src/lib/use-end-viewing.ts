import { useMutation } from '@tanstack/react-query';
import { refreshSession } from './session.ts';
import { trpc } from './trpc.ts';

/** Exits the account that an operator views. */
export function useEndViewing(onEnded: () => Promise<void>) {
  return useMutation(
    trpc.operator.viewing.end.mutationOptions({
      onSuccess: async () => {
        await refreshSession();
        await onEnded();
      },
    }),
  );
}
