import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../lib/paths.ts';
import { AuthCard } from '../../components/layouts/auth-layout.tsx';
import { Button } from '../../components/ui/button.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { describeError } from '../../lib/api-error.ts';
import { trpc } from '../../lib/trpc.ts';
import { takeReturn } from './return-path.ts';
import { useVerifiedEntry } from './use-enter.ts';

interface VerifyByLinkProps {
  token: string;
  email: string | undefined;
  /** Target page in this console: the email may be opened in another browser. */
  redirect: string | undefined;
}

/** Requires a click, because mail scanners open links automatically. */
export function VerifyByLink({ token, email, redirect }: VerifyByLinkProps) {
  const verified = useVerifiedEntry();
  const verify = useMutation(
    trpc.auth.verifyEmail.mutationOptions({
      onSuccess: (entry) => {
        const kept = takeReturn();
        return verified(entry, redirect ?? kept);
      },
    }),
  );
  return (
    <AuthCard title="Confirm your email" description="You will be signed in and can create API keys.">
      {verify.isError && <FormError message={describeError(verify.error)} />}
      {verify.isError ? (
        <Button asChild variant="primary">
          {email === undefined ? (
            <Link to={paths.signIn} search={{ redirect }}>
              Sign in to get a new code
            </Link>
          ) : (
            <Link to={paths.verify} search={{ email, redirect }}>
              Get a new code
            </Link>
          )}
        </Button>
      ) : (
        <Button
          variant="primary"
          isPending={verify.isPending || verify.isSuccess}
          onClick={() => verify.mutate({ token })}
        >
          Confirm email
        </Button>
      )}
    </AuthCard>
  );
}
