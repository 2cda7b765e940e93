import { useMutation } from '@tanstack/react-query';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { formatPlural } from '../../../lib/format/count.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorProvider } from '../operator-types.ts';

/** Whether accounts may attach their credentials to a provider. */
export function OwnCredentialsSwitch({ provider }: { provider: OperatorProvider }) {
  const { id: providerId, allowsOwnCredentials, ownCredentials } = provider;
  const allow = useMutation(
    trpc.operator.providers.allowOwnCredentials.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.operator.providers.pathFilter()),
    }),
  );
  return (
    <div className="grid gap-1">
      <Checkbox
        label="Accounts may attach their own credentials"
        hint={`Their requests cost only the fee of the plan. Attached now: ${formatPlural(ownCredentials, 'account')}.`}
        checked={allowsOwnCredentials}
        onCheckedChange={(isAllowed) => allow.mutate({ providerId, isAllowed })}
      />
      <FormError message={allow.error?.message} />
    </div>
  );
}
