import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { emailSchema } from '@tollgate/core/keys/credentials';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { paths } from '../../lib/paths.ts';
import { AuthCard } from '../../components/layouts/auth-layout.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Note } from '../../components/ui/note.tsx';
import { PasswordInput } from '../../components/ui/password-input.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { trpc } from '../../lib/trpc.ts';
import { FormError } from '../../components/ui/form-error.tsx';
import { ExternalButtons } from './external/external-buttons.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { pickReturn } from './search.ts';
import { useEntry } from './use-enter.ts';

const schema = z.object({ email: emailSchema, password: z.string().min(1, 'Enter your password') });

const REASONS = {
  expired: 'Your session expired. Sign in to continue.',
  everywhere: 'You are signed out on all devices.',
  deleted: 'Your account is deleted. We sent you a confirmation email.',
  again: 'Sign-in timed out. Sign in again.',
} as const;

export function SignInPage() {
  const { redirect, reason, email = '' } = useSearch({ from: '/auth/sign-in' });
  const entered = useEntry();
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email, password: '' } });
  const signIn = useMutation(
    trpc.auth.signIn.mutationOptions({
      onSuccess: (entry) => entered(entry, redirect),
      onError: (error) => applyServerErrors(form, error, fieldNamed('email', 'password')),
    }),
  );
  const { errors } = form.formState;
  return (
    <AuthCard
      title="Sign in"
      footer={
        <>
          New here?{' '}
          <Link to={paths.signUp} search={pickReturn} className={TEXT_LINK}>
            Create an account
          </Link>
        </>
      }
    >
      {reason !== undefined && (
        <Note tone="neutral" announcedAs="status">
          {REASONS[reason]}
        </Note>
      )}
      <Form className="grid gap-4" onSubmit={form.handleSubmit((values) => signIn.mutate(values))}>
        <Field label="Email" error={errors.email?.message}>
          {(control) => (
            <Input {...control} {...form.register('email')} type="email" autoComplete="username webauthn" />
          )}
        </Field>
        <Field
          label="Password"
          error={errors.password?.message}
          aside={
            <Link to={paths.forgot} search={pickReturn} className={`${TEXT_LINK} text-[13px]`}>
              Forgot password?
            </Link>
          }
        >
          {(control) => (
            <PasswordInput {...control} {...form.register('password')} autoComplete="current-password" />
          )}
        </Field>
        <FormError message={errors.root?.message} />
        <Button type="submit" variant="primary" isPending={signIn.isPending}>
          Sign in
        </Button>
      </Form>
      <PasskeyButton redirect={redirect} />
      <ExternalButtons redirect={redirect} />
    </AuthCard>
  );
}
