import { useMutation, useQuery } from '@tanstack/react-query';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { PolicyCard } from '../../two-factor-policy/policy-card.tsx';
import { MEMBERS } from '../../two-factor-policy/policy-target.ts';

export function AccountTwoFactor({ accountId }: { accountId: string }) {
  const query = useQuery(trpc.operator.twoFactor.getOfAccount.queryOptions({ accountId }));
  const set = useMutation(trpc.operator.twoFactor.setOfAccount.mutationOptions());
  return (
    <PolicyCard
      target={MEMBERS}
      policy={query.data}
      error={query.isError ? describeError(query.error) : null}
      canChange
      onSet={async (required) => {
        await set.mutateAsync({ accountId, required });
        await queryClient.invalidateQueries(trpc.operator.twoFactor.pathFilter());
      }}
    />
  );
}
