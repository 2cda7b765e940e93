import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { emailSchema, PASSWORD_MIN_LENGTH, passwordSchema } from '@tollgate/core/keys/credentials';
import { toReturnPath } from '@tollgate/core/people/return-path';
import { ShieldCheck } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { paths } from '../../lib/paths.ts';
import { AuthCard } from '../../components/layouts/auth-layout.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Note } from '../../components/ui/note.tsx';
import { PasswordInput } from '../../components/ui/password-input.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { trpc } from '../../lib/trpc.ts';
import { ExternalButtons } from './external/external-buttons.tsx';
import { rememberWait } from './resend-wait.ts';
import { keepReturn } from './return-path.ts';
import { pickReturn } from './search.ts';

const schema = z.object({ email: emailSchema, password: passwordSchema });

export function SignUpPage() {
  const { operator } = useSearch({ from: '/auth/sign-up' });
  return operator === undefined ? <SignUpCard /> : <OperatorSignUp token={operator} />;
}

/** Checks the operator link first: it may be used or replaced. */
function OperatorSignUp({ token }: { token: string }) {
  const link = useQuery(trpc.auth.operatorLink.queryOptions({ token }));
  if (link.isPending) {
    return (
      <AuthCard title="Create your account">
        <output className="sr-only">Loading</output>
        <Skeleton className="h-4 w-3/4" />
        <Skeleton className="h-9 w-full" />
      </AuthCard>
    );
  }
  const problem = link.data?.problem ?? null;
  if (problem === null) return <SignUpCard />;
  return (
    <AuthCard title="This operator link is no longer valid">
      <Note tone="warn">{problem}</Note>
      <Button asChild variant="primary">
        <Link to={paths.signIn} search={pickReturn}>
          Sign in
        </Link>
      </Button>
    </AuthCard>
  );
}

function SignUpCard() {
  const { operator, redirect, email: invited = '' } = useSearch({ from: '/auth/sign-up' });
  const navigate = useNavigate();
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: invited, password: '' } });
  const signUp = useMutation(
    trpc.auth.signUp.mutationOptions({
      onSuccess: async ({ resendAfterSeconds }, { email }) => {
        rememberWait(email, resendAfterSeconds);
        keepReturn(redirect);
        await navigate({ to: paths.verify, search: { email, redirect } });
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('email', 'password')),
    }),
  );
  const { errors } = form.formState;
  const submit = form.handleSubmit((values) =>
    signUp.mutate({ ...values, operatorToken: operator, returnTo: toReturnPath(redirect) }),
  );
  return (
    <AuthCard
      title="Create your account"
      description="One endpoint and one API key for every model."
      footer={
        <>
          Have an account?{' '}
          <Link to={paths.signIn} search={pickReturn} className={TEXT_LINK}>
            Sign in
          </Link>
        </>
      }
    >
      {operator !== undefined && <OperatorNote />}
      <Form className="grid gap-4" onSubmit={submit}>
        <Field label="Email" error={errors.email?.message}>
          {(control) => (
            <Input {...control} {...form.register('email')} type="email" autoComplete="username" />
          )}
        </Field>
        <Field
          label="Password"
          error={errors.password?.message}
          hint={`At least ${PASSWORD_MIN_LENGTH} characters. Try a few unrelated words.`}
        >
          {(control) => (
            <PasswordInput {...control} {...form.register('password')} autoComplete="new-password" />
          )}
        </Field>
        <FormError message={errors.root?.message} />
        <Button type="submit" variant="primary" isPending={signUp.isPending}>
          Create account
        </Button>
      </Form>
      <ExternalButtons redirect={redirect} operatorToken={operator} />
    </AuthCard>
  );
}

function OperatorNote() {
  return (
    <Note tone="ok" className="flex gap-2.5">
      <ShieldCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>
        <b className="font-semibold">You will be the operator.</b> Your new account will manage this
        installation.
      </span>
    </Note>
  );
}
