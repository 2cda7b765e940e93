import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { RelativeTime } from '../../../components/ui/relative-time.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import type { OperatorCredential } from '../operator-types.ts';

const CLOCK_MS = 30_000;
const CAUSES = { refused: 'refused', no_credit: 'no credit' } as const;

interface CredentialItemProps {
  credential: OperatorCredential;
  /** Part of the requests of the provider, from 0 to 1. */
  share: number;
  isOnly: boolean;
}

/** One credential with its state and actions. */
export function CredentialItem({ credential, share, isOnly }: CredentialItemProps) {
  const { id, label, weight, variable, setAside } = credential;
  const [isRemoving, setIsRemoving] = useState(false);
  const onSuccess = () => queryClient.invalidateQueries(trpc.operator.pathFilter());
  const restore = useMutation(trpc.operator.providerCredentials.restore.mutationOptions({ onSuccess }));
  const remove = useMutation(trpc.operator.providerCredentials.remove.mutationOptions({ onSuccess }));
  const test = useMutation(
    trpc.operator.providerCredentials.test.mutationOptions({
      onSuccess: async (result) => {
        if (!result.ok) {
          toast.error(`${label}: test failed`, { description: result.message });
          return;
        }
        await onSuccess();
        toast.success(`${label}: test passed`, { description: `Responded in ${result.latencyMs} ms.` });
      },
      onError: (error) => toast.error('Couldn’t run the test', { description: describeError(error) }),
    }),
  );
  return (
    <li className="grid gap-1 px-3 py-2.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <span className="truncate font-medium">{label}</span>
          {variable !== null && <Chip>{variable}</Chip>}
          {setAside !== null && <Chip tone="bad">{CAUSES[setAside.cause]}</Chip>}
          <span className="text-[12.5px] text-ink-3">
            weight {weight}
            {!isOnly && `, ${(share * 100).toFixed(1)}% of requests`}
          </span>
        </div>
        <div className="flex gap-1">
          {setAside !== null && (
            <Button
              size="sm"
              variant="primary"
              isPending={restore.isPending}
              aria-label={`Restore ${label}`}
              onClick={() => restore.mutate({ credentialId: id })}
            >
              Restore
            </Button>
          )}
          {variable === null && (
            <Button
              size="sm"
              isPending={test.isPending}
              aria-label={`Test ${label}`}
              onClick={() => test.mutate({ credentialId: id })}
            >
              Test
            </Button>
          )}
          {!isOnly && (
            <Button size="sm" aria-label={`Remove ${label}`} onClick={() => setIsRemoving(true)}>
              Remove
            </Button>
          )}
        </div>
      </div>
      {setAside !== null && <SetAside setAside={setAside} />}
      <FormError message={restore.error?.message} />
      {isRemoving && (
        <ConfirmDialog
          title={`Remove credential ${label}?`}
          description="Its value is deleted. Requests use the other credentials."
          action="Remove credential"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ credentialId: id })}
          onClose={() => setIsRemoving(false)}
        />
      )}
    </li>
  );
}

function SetAside({ setAside }: { setAside: NonNullable<OperatorCredential['setAside']> }) {
  const nowMs = useNow(CLOCK_MS);
  return (
    <p className="text-[12.5px] wrap-anywhere text-ink-2">
      <RelativeTime iso={setAside.at} nowMs={nowMs} never="" prefix="Set aside " />
      {setAside.message === null ? '.' : `. The provider says: ${setAside.message}`}
    </p>
  );
}
