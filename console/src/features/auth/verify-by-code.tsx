import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toReturnPath } from '@tollgate/core/people/return-path';
import { useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { AuthCard } from '../../components/layouts/auth-layout.tsx';
import { Button } from '../../components/ui/button.tsx';
import { CodeInput } from '../../components/ui/code-input.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { describeError } from '../../lib/api-error.ts';
import { useSession } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { useSignOut } from '../../lib/use-sign-out.ts';
import { MailboxLink } from '../../components/layouts/mailbox-link.tsx';
import { ResendButton } from '../../components/layouts/resend-button.tsx';
import { readWaitSeconds, rememberWait } from './resend-wait.ts';
import { takeReturn } from './return-path.ts';
import { useVerifiedEntry } from './use-enter.ts';
import { useVerifiedElsewhere } from './use-verified-elsewhere.ts';

const CODE_LENGTH = 6;

interface VerifyByCodeProps {
  email: string;
  /** Where to go afterwards, inside this console. */
  redirect: string | undefined;
}

export function VerifyByCode({ email, redirect }: VerifyByCodeProps) {
  const verified = useVerifiedEntry();
  const [code, setCode] = useState('');
  const verify = useMutation(
    trpc.auth.verifyEmail.mutationOptions({
      onSuccess: (entry) => verified(entry, takeReturn() ?? redirect),
      // Attempts are limited: clear the code so that typing does not resend a wrong one.
      onError: () => setCode(''),
    }),
  );
  useVerifiedElsewhere({ email, redirect, isIdle: verify.isIdle });
  const resend = useMutation(trpc.auth.resendVerification.mutationOptions());

  const change = (digits: string) => {
    setCode(digits);
    if (verify.isError) verify.reset();
    if (digits.length === CODE_LENGTH && !verify.isPending) verify.mutate({ email, code: digits });
  };
  return (
    <AuthCard
      title="Check your email"
      description={
        <>
          We sent a 6-digit code to <b className="font-medium break-all text-ink">{email}</b>. Confirm your
          email to create API keys.
        </>
      }
      footer={<OtherAddress redirect={redirect} />}
    >
      <Form
        className="grid gap-4"
        onSubmit={() => {
          verify.mutate({ email, code });
        }}
      >
        <Field label="Code" error={verify.isError ? describeError(verify.error) : undefined}>
          {(control) => <CodeInput {...control} value={code} onValueChange={change} isFocusedFirst />}
        </Field>
        <Button type="submit" variant="primary" isPending={verify.isPending || verify.isSuccess}>
          Confirm email
        </Button>
      </Form>
      <MailboxLink />
      <ResendButton
        initialSeconds={readWaitSeconds(email)}
        send={async () => {
          const { resendAfterSeconds } = await resend.mutateAsync({
            email,
            returnTo: toReturnPath(redirect),
          });
          rememberWait(email, resendAfterSeconds);
          return resendAfterSeconds;
        }}
      >
        Send a new code
      </ResendButton>
    </AuthCard>
  );
}

function OtherAddress({ redirect }: { redirect: string | undefined }) {
  const { user } = useSession();
  const signOut = useSignOut();
  if (user === null) {
    return (
      <>
        Wrong address?{' '}
        <Link to={paths.signUp} search={{ redirect }} className={TEXT_LINK}>
          Sign up again
        </Link>
      </>
    );
  }
  return (
    <button type="button" className={TEXT_LINK} onClick={() => signOut.mutate()}>
      Sign out
    </button>
  );
}
