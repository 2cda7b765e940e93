import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { PASSWORD_MIN_LENGTH, passwordSchema } from '@tollgate/core/keys/credentials';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { paths } from '../../lib/paths.ts';
import { AuthCard } from '../../components/layouts/auth-layout.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { PasswordInput } from '../../components/ui/password-input.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { trpc } from '../../lib/trpc.ts';
import { takeReturn } from './return-path.ts';
import { useEntry } from './use-enter.ts';

const schema = z.object({ password: passwordSchema });

export function ResetPage() {
  const { token, redirect, first = false } = useSearch({ from: '/auth/reset' });
  if (token === undefined) {
    return (
      <AuthCard
        title="This link is incomplete"
        description="Open the link in the email again, or request a new one."
      >
        <Button asChild variant="primary">
          <Link to={paths.forgot}>Request a new link</Link>
        </Button>
      </AuthCard>
    );
  }
  return <ResetForm token={token} redirect={redirect} isFirst={first} />;
}

interface ResetFormProps {
  token: string;
  /** Where to go afterwards, inside this console. */
  redirect: string | undefined;
  /** True right after the email was verified. */
  isFirst: boolean;
}

function ResetForm({ token, redirect, isFirst }: ResetFormProps) {
  const entered = useEntry();
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { password: '' } });
  const reset = useMutation(
    trpc.auth.resetPassword.mutationOptions({
      onSuccess: (entry) => entered(entry, redirect ?? takeReturn()),
      onError: (error) => applyServerErrors(form, error, fieldNamed('password')),
    }),
  );
  const { errors } = form.formState;
  return (
    <AuthCard
      title={isFirst ? 'Set your password' : 'Choose a new password'}
      description={
        isFirst
          ? 'Your email is verified. Set a password to continue.'
          : 'You will be signed in here and signed out on all other devices.'
      }
      footer={
        <Link to={paths.forgot} className={TEXT_LINK}>
          Request a new link
        </Link>
      }
    >
      <Form
        className="grid gap-4"
        onSubmit={form.handleSubmit(({ password }) => reset.mutate({ token, password }))}
      >
        <Field
          label={isFirst ? 'Password' : 'New password'}
          error={errors.password?.message}
          hint={`At least ${PASSWORD_MIN_LENGTH} characters. Try a few unrelated words.`}
        >
          {(control) => (
            <PasswordInput {...control} {...form.register('password')} autoComplete="new-password" />
          )}
        </Field>
        <FormError message={errors.root?.message} />
        <Button type="submit" variant="primary" isPending={reset.isPending}>
          Set password
        </Button>
      </Form>
    </AuthCard>
  );
}
