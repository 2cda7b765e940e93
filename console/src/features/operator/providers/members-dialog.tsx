import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Dialog, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { Paged } from '../../../components/ui/paged.tsx';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { UnknownMembers } from './unknown-members.tsx';

interface MembersDialogProps {
  providerId: string;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Unknown request fields of a provider, and the fields that the operator allows. */
export function MembersDialog({ providerId, onClose, onCloseAutoFocus }: MembersDialogProps) {
  const unknown = useQuery(trpc.operator.providers.unknownMembers.queryOptions({ providerId }));
  const list = useQuery(trpc.operator.providers.list.queryOptions());
  const provider = list.data?.providers.find(({ id }) => id === providerId);
  const allowed = provider?.allowedMembers ?? [];
  const change = useMutation(
    trpc.operator.providers.allowMembers.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.operator.providers.pathFilter()),
    }),
  );
  const allow = (member: string) => change.mutate({ providerId, allow: [member] });
  const disallow = (member: string) => change.mutate({ providerId, disallow: [member] });
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={`Request fields for ${provider?.name ?? 'this provider'}`}
        description="Unknown fields are dropped on plans that charge money. Allowed fields are always forwarded. Priced tools still need a rate."
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <DialogBody>
          <h3 className="font-medium">Allowed fields</h3>
          <AllowedMembers allowed={allowed} isPending={change.isPending} onDisallow={disallow} />
          <AllowForm isPending={change.isPending} onAllow={allow} />
          <FormError message={change.error?.message} />
          <h3 className="mt-1 font-medium">Unknown fields received</h3>
          <Paged list={unknown} title="The unknown fields could not be loaded">
            <UnknownMembers
              members={unknown.data?.members ?? []}
              allowed={allowed}
              isPending={change.isPending}
              onAllow={allow}
            />
          </Paged>
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}

interface AllowedMembersProps {
  allowed: readonly string[];
  isPending: boolean;
  onDisallow: (member: string) => void;
}

function AllowedMembers({ allowed, isPending, onDisallow }: AllowedMembersProps) {
  if (allowed.length === 0) return <p className="text-ink-2">No fields allowed yet.</p>;
  return (
    <ul aria-label="Allowed fields" className="grid gap-1.5">
      {allowed.map((member) => (
        <li key={member} className="flex items-center justify-between gap-3">
          <code className="truncate text-[13px]">{member}</code>
          <Button
            size="sm"
            disabled={isPending}
            aria-label={`Remove ${member}`}
            onClick={() => onDisallow(member)}
          >
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}

function AllowForm({ isPending, onAllow }: { isPending: boolean; onAllow: (member: string) => void }) {
  const [member, setMember] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAllow(member);
        setMember('');
      }}
    >
      <Field
        label="Field to allow"
        hint="For example top_n, provider.order, tools.my_tool, beta.my-beta or stored.file"
      >
        {(control) => (
          <div className="flex gap-2">
            <Input {...control} value={member} onChange={(event) => setMember(event.target.value)} />
            <Button type="submit" className="shrink-0" disabled={isPending || member.trim() === ''}>
              Allow field
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
