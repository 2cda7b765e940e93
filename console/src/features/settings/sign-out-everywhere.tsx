import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { AlertDialog, AlertDialogCancel, AlertDialogContent } from '../../components/ui/alert-dialog.tsx';
import { Button } from '../../components/ui/button.tsx';
import { DialogBody, DialogFooter } from '../../components/ui/dialog.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { describeError } from '../../lib/api-error.ts';
import { forgetSession } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';

/** Ends all sessions of the user, including this one. */
export function SignOutEverywhere() {
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const signOut = useMutation(
    trpc.auth.signOutEverywhere.mutationOptions({
      onSuccess: async () => {
        await forgetSession();
        await navigate({ to: paths.signIn, search: { reason: 'everywhere' } });
      },
    }),
  );
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>Sign out everywhere…</Button>
      <AlertDialog open={isAsking} onOpenChange={setIsAsking}>
        <AlertDialogContent
          title="Sign out everywhere?"
          description="You will have to sign in again in every browser, including this one."
        >
          <DialogBody>
            <FormError message={signOut.isError ? describeError(signOut.error) : undefined} />
          </DialogBody>
          <DialogFooter>
            <AlertDialogCancel asChild>
              <Button>Cancel</Button>
            </AlertDialogCancel>
            <Button variant="primary" isPending={signOut.isPending} onClick={() => signOut.mutate()}>
              Sign out everywhere
            </Button>
          </DialogFooter>
        </AlertDialogContent>
      </AlertDialog>
    </>
  );
}
