import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../../app/paths.ts';
import { AuthCard } from '../../components/layouts/auth-layout.tsx';
import { Button } from '../../components/ui/button.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { describeError } from '../../lib/api-error.ts';
import { trpc } from '../../lib/trpc.ts';
import { takeReturn } from './return-path.ts';
import { useEnter } from './use-enter.ts';

/** One click, because mail scanners open links by themselves: a page that confirmed on load would confirm for them. */
export function VerifyByLink({ token, email }: { token: string; email: string | undefined }) {
  const enter = useEnter();
  const verify = useMutation(trpc.auth.verifyEmail.mutationOptions({ onSuccess: () => enter(takeReturn()) }));
  return (
    <AuthCard title="Confirm your e-mail" description="This signs you in and lets you create keys.">
      {verify.isError && <FormError message={describeError(verify.error)} />}
      {verify.isError ? (
        <Button asChild variant="primary">
          {email === undefined ? (
            <Link to={paths.signIn}>Sign in to get a new code</Link>
          ) : (
            <Link to={paths.verify} search={{ email }}>
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
          Confirm e-mail
        </Button>
      )}
    </AuthCard>
  );
}
