import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx';
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
      {isAsking && (
        <ConfirmDialog
          title="Sign out everywhere?"
          description="You will have to sign in again in every browser, including this one."
          action="Sign out everywhere"
          tone="primary"
          isPending={signOut.isPending}
          error={signOut.error}
          onConfirm={() => signOut.mutate()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
