import { useMutation, useQuery } from '@tanstack/react-query';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { refreshSession } from '../../../lib/session.ts';
import { trpc } from '../../../lib/trpc.ts';
import { PolicyCard } from '../../two-factor-policy/policy-card.tsx';
import { OPERATORS } from '../../two-factor-policy/policy-target.ts';

export function OperatorTwoFactor() {
  const query = useQuery(trpc.operator.twoFactor.get.queryOptions());
  const set = useMutation(trpc.operator.twoFactor.set.mutationOptions());
  return (
    <PolicyCard
      target={OPERATORS}
      policy={query.data}
      error={query.isError ? describeError(query.error) : null}
      canChange
      needsOwnFactor
      onSet={async (required) => {
        await set.mutateAsync({ required });
        await queryClient.invalidateQueries(trpc.operator.twoFactor.pathFilter());
        await refreshSession();
      }}
    />
  );
}
