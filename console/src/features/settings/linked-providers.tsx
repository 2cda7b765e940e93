import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '../../lib/toast.ts';
import { Button } from '../../components/ui/button.tsx';
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { describeError } from '../../lib/api-error.ts';
import { queryClient } from '../../lib/query-client.ts';
import { useSession } from '../../lib/session.ts';
import { trpc, type LinkedIdentity } from '../../lib/trpc.ts';
import { Section } from './section.tsx';

/** Linked sign-in providers; absent if none is set up or linked. */
export function LinkedProviders() {
  const { signInProviders } = useSession().installation;
  const linked = useQuery(trpc.external.linked.queryOptions());
  const [toUnlink, setToUnlink] = useState<LinkedIdentity | null>(null);
  const link = useMutation(
    trpc.external.startLink.mutationOptions({ onSuccess: ({ url }) => window.location.assign(url) }),
  );
  if (signInProviders.length === 0 && (linked.data ?? []).length === 0) return null;
  const getLabel = (id: string) => signInProviders.find((provider) => provider.id === id)?.label ?? id;
  const missing = signInProviders.filter(
    ({ id }) => linked.data !== undefined && !linked.data.some(({ provider }) => provider === id),
  );
  return (
    <Section
      title="Sign-in providers"
      description="Sign in with a linked provider. Your second factor is still required if it is set up."
    >
      {linked.isPending && <Skeleton className="h-9" />}
      {linked.isError && (
        <ErrorState
          title="Linked providers could not be loaded"
          error={linked.error}
          onRetry={() => void linked.refetch()}
        />
      )}
      <ul className="grid gap-2">
        {linked.data?.map((identity) => (
          <li key={identity.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="min-w-0">
              <span className="font-medium">{getLabel(identity.provider)}</span>
              <span className="ml-2 break-all text-ink-2">{identity.email}</span>
            </span>
            <Button size="sm" onClick={() => setToUnlink(identity)}>
              Unlink {getLabel(identity.provider)}…
            </Button>
          </li>
        ))}
        {missing.map(({ id, label }) => (
          <li key={id} className="flex items-center justify-between gap-4">
            <span className="text-ink-2">{label} is not linked</span>
            <Button
              size="sm"
              isPending={link.variables?.provider === id && (link.isPending || link.isSuccess)}
              onClick={() => link.mutate({ provider: id })}
            >
              Link {label}
            </Button>
          </li>
        ))}
      </ul>
      <FormError message={link.isError ? describeError(link.error) : undefined} />
      {toUnlink !== null && (
        <UnlinkDialog
          identity={toUnlink}
          label={getLabel(toUnlink.provider)}
          onClose={() => setToUnlink(null)}
        />
      )}
    </Section>
  );
}

interface UnlinkDialogProps {
  identity: LinkedIdentity;
  label: string;
  onClose: () => void;
}

function UnlinkDialog({ identity, label, onClose }: UnlinkDialogProps) {
  const unlink = useMutation(
    trpc.external.unlink.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.external.linked.queryFilter());
        toast.success(`${label} unlinked`);
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Unlink ${label}?`}
      description={`You can no longer sign in with ${label}. You can link it again at any time.`}
      action={`Unlink ${label}`}
      isPending={unlink.isPending}
      error={unlink.error}
      onConfirm={() => unlink.mutate({ id: identity.id })}
      onClose={onClose}
    />
  );
}
