import { useMutation } from '@tanstack/react-query';
import { useNavigate, type NavigateOptions } from '@tanstack/react-router';
import { toast } from './toast.ts';
import { paths } from './paths.ts';
import { describeError } from './api-error.ts';
import { forgetSession } from './session.ts';
import { trpc } from './trpc.ts';

/** Ends the session of this browser and goes to the sign-in page, or to another one for visitors. */
export function useSignOut(destination: NavigateOptions = { to: paths.signIn }) {
  const navigate = useNavigate();
  return useMutation(
    trpc.auth.signOut.mutationOptions({
      onSuccess: async () => {
        await forgetSession();
        await navigate(destination);
      },
      onError: (error) => toast.error('Sign-out failed', { description: describeError(error) }),
    }),
  );
}
