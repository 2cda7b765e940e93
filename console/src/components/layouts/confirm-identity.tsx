import { useEffect, useRef, useState } from 'react';
import { setIdentityPrompt } from '../../lib/confirm-identity.ts';
import { AlertDialog, AlertDialogContent } from '../ui/alert-dialog.tsx';
import { lazyDialog } from '../ui/lazy-dialog.tsx';

const ConfirmIdentityForm = lazyDialog(
  async () => (await import('./confirm-identity-form.tsx')).ConfirmIdentityForm,
);

/** Asks users to confirm their identity if the server requires re-authentication. */
export function ConfirmIdentity() {
  const [isAsking, setIsAsking] = useState(false);
  const answer = useRef<((isConfirmed: boolean) => void) | null>(null);
  useEffect(
    () =>
      setIdentityPrompt(
        () =>
          new Promise((resolve) => {
            answer.current?.(false);
            answer.current = resolve;
            setIsAsking(true);
          }),
      ),
    [],
  );
  const close = (isConfirmed: boolean) => {
    setIsAsking(false);
    answer.current?.(isConfirmed);
    answer.current = null;
  };
  return (
    // Another dialog may already be open.
    <AlertDialog open={isAsking} onOpenChange={(isOpen) => !isOpen && close(false)}>
      <AlertDialogContent
        title="Confirm your identity"
        description="This action is sensitive. After you confirm, we do not ask again for ten minutes."
      >
        <ConfirmIdentityForm onConfirmed={() => close(true)} onCancel={() => close(false)} />
      </AlertDialogContent>
    </AlertDialog>
  );
}
