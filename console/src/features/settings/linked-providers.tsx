import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '../../lib/toast.ts';
import { AlertDialog, AlertDialogCancel, AlertDialogContent } from '../../components/ui/alert-dialog.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DialogBody, DialogFooter } from '../../components/ui/dialog.tsx';
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
  const labelOf = (id: string) => signInProviders.find((provider) => provider.id === id)?.label ?? id;
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
              <span className="font-medium">{labelOf(identity.provider)}</span>
              <span className="ml-2 break-all text-ink-2">{identity.email}</span>
            </span>
            <Button size="sm" onClick={() => setToUnlink(identity)}>
              Unlink {labelOf(identity.provider)}…
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
      <UnlinkDialog
        identity={toUnlink}
        label={toUnlink === null ? '' : labelOf(toUnlink.provider)}
        onClose={() => setToUnlink(null)}
      />
    </Section>
  );
}

interface UnlinkDialogProps {
  /** null: it is closed. */
  identity: LinkedIdentity | null;
  label: string;
  onClose: () => void;
}

function UnlinkDialog({ identity, label, onClose }: UnlinkDialogProps) {
  const unlink = useMutation(
    trpc.external.unlink.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.external.linked.queryFilter());
        toast.success(`${label} unlinked`);
        close();
      },
    }),
  );
  const close = () => {
    unlink.reset();
    onClose();
  };
  return (
    <AlertDialog open={identity !== null} onOpenChange={(isOpen) => !isOpen && close()}>
      <AlertDialogContent
        title={`Unlink ${label}?`}
        description={`You can no longer sign in with ${label}. You can link it again at any time.`}
      >
        <DialogBody>
          <FormError message={unlink.isError ? describeError(unlink.error) : undefined} />
        </DialogBody>
        <DialogFooter>
          <AlertDialogCancel asChild>
            <Button>Cancel</Button>
          </AlertDialogCancel>
          <Button
            variant="danger"
            isPending={unlink.isPending}
            onClick={() => identity !== null && unlink.mutate({ id: identity.id })}
          >
            Unlink {label}
          </Button>
        </DialogFooter>
      </AlertDialogContent>
    </AlertDialog>
  );
}
