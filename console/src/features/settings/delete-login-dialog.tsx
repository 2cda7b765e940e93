import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formatUsd } from '@tollgate/core/money/money';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx';
import { Field } from '../../components/ui/field.tsx';
import { MoneyInput } from '../../components/ui/money-input.tsx';
import { TypeWhat } from '../../components/ui/typed-field.tsx';
import { paths } from '../../lib/paths.ts';
import { forgetSession, useSession } from '../../lib/session.ts';
import { trpc, type Deletion } from '../../lib/trpc.ts';

/** Requires typing the address and the balance, to prevent accidental deletion. */
export function DeleteLoginDialog({ deletion, onClose }: { deletion: Deletion; onClose: () => void }) {
  const { user } = useSession();
  const navigate = useNavigate();
  const email = user?.email ?? '';
  const balance = formatUsd(BigInt(deletion.balanceNanoUsd));
  const hasBalance = BigInt(deletion.balanceNanoUsd) > 0n;
  const [giveUpUsd, setGiveUpUsd] = useState('');
  const remove = useMutation(
    trpc.settings.deleteLogin.mutationOptions({
      onSuccess: async () => {
        await forgetSession();
        await navigate({ to: paths.signIn, search: { reason: 'deleted' } });
      },
    }),
  );
  return (
    <ConfirmDialog
      title="Delete your account?"
      description={describeLoss(deletion.keys)}
      name={email}
      action="Delete account"
      isReady={!hasBalance || giveUpUsd.trim() === balance}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ email, giveUpUsd })}
      onClose={onClose}
    >
      {hasBalance && (
        <Field label={<TypeWhat phrase={balance} purpose={`to forfeit your balance of $${balance}`} />}>
          {(control) => (
            <MoneyInput
              {...control}
              value={giveUpUsd}
              onChange={(event) => setGiveUpUsd(event.target.value)}
            />
          )}
        </Field>
      )}
    </ConfirmDialog>
  );
}

function describeLoss(keys: number): string {
  const stopped =
    keys === 0 ? '' : `${keys === 1 ? 'One key stops' : `${keys} keys stop`} working immediately. `;
  return `${stopped}This can't be undone.`;
}
