import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { toReturnPath } from '@tollgate/core/people/return-path';
import { useEffect, useRef, useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { AuthCard } from '../../../components/layouts/auth-layout.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Spinner } from '../../../components/ui/spinner.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { arrivalQuery } from '../../../lib/arrival.ts';
import { useSession } from '../../../lib/session.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc, type ExternalOutcome } from '../../../lib/trpc.ts';
import { useEntry } from '../use-enter.ts';
import { ConfirmOwner } from './confirm-owner.tsx';

type Question = Extract<ExternalOutcome, { next: 'confirm' }>;

/** Callback page of sign-in providers. */
export function ExternalReturnPage() {
  const { provider: id } = useParams({ from: '/auth/sign-in/$provider' });
  const { user, installation } = useSession();
  const provider = installation.signInProviders.find((known) => known.id === id);
  const navigate = useNavigate();
  const router = useRouter();
  const entered = useEntry();
  const [question, setQuestion] = useState<Question | null>(null);
  const goOn = async (outcome: ExternalOutcome) => {
    if (outcome.next === 'confirm') setQuestion(outcome);
    else if (outcome.next === 'linked') await navigate({ to: paths.settings, replace: true });
    else if (outcome.next === 'confirmed') {
      toast.success('Identity confirmed. Start the change again within ten minutes.');
      router.history.replace(toReturnPath(outcome.redirect ?? undefined) ?? paths.settings);
    } else await entered(outcome, outcome.redirect ?? undefined);
  };
  const finish = useMutation(trpc.external.finish.mutationOptions({ onSuccess: goOn }));
  const { mutate } = finish;
  // The callback parameters work once.
  const isTried = useRef(false);
  useEffect(() => {
    if (provider === undefined || isTried.current) return;
    isTried.current = true;
    mutate({ provider: provider.id, query: arrivalQuery });
  }, [provider, mutate]);

  if (question !== null && provider !== undefined)
    return <ConfirmOwner question={question} label={provider.label} onDone={goOn} />;
  if (provider !== undefined && !finish.isError)
    return (
      <AuthCard title={`Signing in with ${provider.label}`}>
        <output className="flex items-center gap-2.5 text-ink-2">
          <Spinner />
          Signing in…
        </output>
      </AuthCard>
    );
  return (
    <AuthCard title="Sign-in failed">
      <FormError
        message={finish.isError ? describeError(finish.error) : 'This sign-in provider is not set up.'}
      />
      <Button asChild variant="primary">
        {user === null ? (
          <Link to={paths.signIn}>Back to sign-in</Link>
        ) : (
          <Link to={paths.settings}>Back to settings</Link>
        )}
      </Button>
    </AuthCard>
  );
}
