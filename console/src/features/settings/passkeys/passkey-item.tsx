import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../components/ui/button.tsx';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc, type PasskeyRow } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { RelativeTime } from '../../../components/ui/relative-time.tsx';
import { NameDialog } from './name-dialog.tsx';

const TICK_MS = 30_000;

export function PasskeyItem({ row }: { row: PasskeyRow }) {
  const nowMs = useNow(TICK_MS);
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5 first:pt-0">
      <KeyRound aria-hidden className="size-5 shrink-0 text-ink-3" strokeWidth={1.6} />
      <div className="min-w-0 flex-1 basis-40">
        <div className="font-medium break-words">{row.name}</div>
        <div className="text-[13px] text-ink-2">
          <RelativeTime iso={row.createdAt} nowMs={nowMs} never="" prefix="Added " />
          {' · '}
          <RelativeTime iso={row.lastUsedAt} nowMs={nowMs} never="never used" prefix="last used " />
        </div>
      </div>
      <div className="flex gap-2">
        <Button size="sm" onClick={() => setOpen('rename')}>
          Rename<span className="sr-only"> {row.name}</span>
        </Button>
        <Button size="sm" onClick={() => setOpen('remove')}>
          Remove<span className="sr-only"> {row.name}</span>
        </Button>
      </div>
      {open === 'rename' && <RenameDialog row={row} onClose={() => setOpen(null)} />}
      {open === 'remove' && <RemoveDialog row={row} onClose={() => setOpen(null)} />}
    </li>
  );
}

function RenameDialog({ row, onClose }: { row: PasskeyRow; onClose: () => void }) {
  const rename = useMutation(
    trpc.passkeys.rename.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.passkeys.pathFilter());
        onClose();
      },
    }),
  );
  return (
    <NameDialog
      title="Rename passkey"
      description="Enter a name to recognize it by."
      action="Save name"
      name={row.name}
      isPending={rename.isPending}
      error={rename.error}
      onSubmit={(name) => rename.mutate({ id: row.id, name })}
      onClose={onClose}
    />
  );
}

function RemoveDialog({ row, onClose }: { row: PasskeyRow; onClose: () => void }) {
  const remove = useMutation(
    trpc.passkeys.remove.mutationOptions({
      onSuccess: async () => {
        onClose();
        await queryClient.invalidateQueries(trpc.passkeys.pathFilter());
        toast.success(`${row.name} removed`, {
          description: 'Also delete it on your device or in your password manager.',
        });
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Remove ${row.name}?`}
      description="You can no longer sign in with it. Your device may still offer it until you delete it there."
      name={row.name}
      action="Remove passkey"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id: row.id })}
      onClose={onClose}
      onCloseAutoFocus={() => undefined}
    />
  );
}
