import { useMutation, useQuery } from '@tanstack/react-query';
import { describeError } from '../../lib/api-error.ts';
import { useHasRole } from '../../lib/current-account.ts';
import { queryClient } from '../../lib/query-client.ts';
import { refreshSession } from '../../lib/session.ts';
import { trpc, type Account } from '../../lib/trpc.ts';
import { PolicyCard } from '../two-factor-policy/policy-card.tsx';
import { MEMBERS } from '../two-factor-policy/policy-target.ts';

export function TeamTwoFactor({ account }: { account: Account }) {
  const isAdmin = useHasRole('admin');
  const query = useQuery(trpc.teamTwoFactor.get.queryOptions({ accountId: account.id }));
  const set = useMutation(trpc.teamTwoFactor.set.mutationOptions());
  return (
    <PolicyCard
      target={MEMBERS}
      policy={query.data}
      error={query.isError ? describeError(query.error) : null}
      canChange={isAdmin}
      needsOwnFactor
      onSet={async (required) => {
        await set.mutateAsync({ accountId: account.id, required });
        await queryClient.invalidateQueries(trpc.teamTwoFactor.pathFilter());
        await refreshSession();
      }}
    />
  );
}
