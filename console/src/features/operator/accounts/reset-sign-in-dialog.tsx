import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '../../../lib/toast.ts';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { formatPlural } from '../../../lib/format/count.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorMember } from '../operator-types.ts';

interface ResetSignInDialogProps {
  member: OperatorMember;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Removes second factors that a user has lost. */
export function ResetSignInDialog({ member, onClose, onCloseAutoFocus }: ResetSignInDialogProps) {
  const { userId, email, hasTwoFactor, passkeys: passkeyCount } = member;
  const [twoFactor, setTwoFactor] = useState(hasTwoFactor);
  const [passkeys, setPasskeys] = useState(!hasTwoFactor);
  const reset = useMutation(
    trpc.operator.people.resetSignIn.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.accounts.pathFilter());
        onClose();
        toast.success(`Sign-in reset for ${email}`, {
          description: 'They are signed out everywhere and notified by email.',
        });
      },
    }),
  );
  return (
    <ConfirmDialog
      title="Reset sign-in?"
      description="First make sure that the request comes from this person: afterwards, the password is enough to sign in. All sessions end, and we send an email."
      name={email}
      action="Reset sign-in"
      needsReason
      reasonHint="Stored in the installation's audit log. Not included in the email."
      isReady={twoFactor || passkeys}
      isPending={reset.isPending}
      error={reset.error}
      onConfirm={(reason) => reset.mutate({ userId, email, twoFactor, passkeys, reason })}
      onClose={onClose}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      {hasTwoFactor && (
        <Checkbox
          label="Remove the authenticator app"
          hint="Also removes the recovery codes. Sign-in then needs only the password."
          checked={twoFactor}
          onCheckedChange={setTwoFactor}
        />
      )}
      {passkeyCount > 0 && (
        <Checkbox
          label={`Remove ${formatPlural(passkeyCount, 'passkey')}`}
          hint={
            passkeyCount === 1
              ? 'It can no longer be used to sign in.'
              : 'They can no longer be used to sign in.'
          }
          checked={passkeys}
          onCheckedChange={setPasskeys}
        />
      )}
    </ConfirmDialog>
  );
}
