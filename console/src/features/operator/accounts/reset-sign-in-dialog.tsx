import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from 'sonner';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { formatPlural } from '../../../lib/format/count.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { Member } from './account-members.tsx';

interface ResetSignInDialogProps {
  member: Member;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Takes away what somebody cannot show any more, because their phone or their key is lost. */
export function ResetSignInDialog({ member, onClose, onCloseAutoFocus }: ResetSignInDialogProps) {
  const { userId, email, hasTwoFactor, passkeys: passkeyCount } = member;
  const [twoFactor, setTwoFactor] = useState(hasTwoFactor);
  const [passkeys, setPasskeys] = useState(!hasTwoFactor);
  const reset = useMutation(
    trpc.operator.people.resetSignIn.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.accounts.pathFilter());
        onClose();
        toast.success(`The sign-in of ${email} is reset`, {
          description: 'They are signed out everywhere, and a mail tells them.',
        });
      },
    }),
  );
  return (
    <ConfirmDialog
      title="Reset the sign-in?"
      description="Make sure that it is this person who asks: with their password alone they will sign in again. They are signed out everywhere and told by mail."
      name={email}
      action="Reset sign-in"
      needsReason
      reasonHint="Kept in the installation's audit log. The mail does not repeat it."
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
          hint="And its recovery codes. The password alone signs in from then on."
          checked={twoFactor}
          onCheckedChange={setTwoFactor}
        />
      )}
      {passkeyCount > 0 && (
        <Checkbox
          label={`Remove ${formatPlural(passkeyCount, 'passkey')}`}
          hint={passkeyCount === 1 ? 'It signs in no more.' : 'All of them: they sign in no more.'}
          checked={passkeys}
          onCheckedChange={setPasskeys}
        />
      )}
    </ConfirmDialog>
  );
}
