import { useMutation } from '@tanstack/react-query';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx';
import { formatPlural } from '../../lib/format/count.ts';
import { queryClient } from '../../lib/query-client.ts';
import { trpc, type KeyRow } from '../../lib/trpc.ts';
import { BULK_REVOKE_ID } from './bulk-bar.tsx';
import { NEW_KEY_BUTTON_ID } from './new-key-button.tsx';

interface BulkRevokeDialogProps {
  accountId: string;
  rows: KeyRow[];
  onClose: () => void;
  onRevoked: () => void;
}

/** Revokes all selected keys. The user must type their number, which prevents accidents. */
export function BulkRevokeDialog({ accountId, rows, onClose, onRevoked }: BulkRevokeDialogProps) {
  const revoke = useMutation(
    trpc.keys.revokeMany.mutationOptions({
      onSuccess: async ({ revoked }) => {
        await queryClient.invalidateQueries(trpc.keys.pathFilter());
        onRevoked();
        toast.success(`${formatPlural(revoked, 'key')} revoked`, {
          description: 'Requests with these keys are now rejected.',
        });
      },
    }),
  );
  const many = formatPlural(rows.length, 'key');
  return (
    <ConfirmDialog
      title={`Revoke ${many}?`}
      description="Requests with these keys are rejected within a second, and active streams end. This can't be undone."
      name={`revoke ${many}`}
      action={`Revoke ${many}`}
      isPending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ accountId, keyIds: rows.map(({ id }) => id) })}
      onClose={onClose}
      onCloseAutoFocus={(event) => {
        event.preventDefault();
        (document.getElementById(BULK_REVOKE_ID) ?? document.getElementById(NEW_KEY_BUTTON_ID))?.focus();
      }}
    >
      <ul
        aria-label="Keys to revoke"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and keyboards must reach it
        tabIndex={0}
        className="max-h-44 divide-y overflow-y-auto rounded-lg border text-[13px]"
      >
        {rows.map((row) => (
          <li key={row.id} className="flex items-baseline justify-between gap-3 px-3 py-1.5">
            <span className="min-w-0 truncate font-medium">{row.name}</span>
            <span className="font-mono text-[12.5px] text-ink-3">
              {row.prefix}…{row.last4}
            </span>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
