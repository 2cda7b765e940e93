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
import { FormError } from '../../components/ui/form-error.tsx';
import { Input } from '../../components/ui/input.tsx';
import { TEXT_LINK } from '../../components/ui/text-link.ts';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { trpc } from '../../lib/trpc.ts';
import { MailboxLink } from '../../components/layouts/mailbox-link.tsx';
import { ResendButton } from '../../components/layouts/resend-button.tsx';
import { keepReturn } from './return-path.ts';
import { pickReturn } from './search.ts';

const schema = z.object({ email: emailSchema });

export function ForgotPage() {
  const { redirect, email: known = '' } = useSearch({ from: '/auth/forgot' });
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { email: known } });
  const request = useMutation(
    trpc.auth.requestPasswordReset.mutationOptions({
      onSuccess: () => keepReturn(redirect),
      onError: (error) => applyServerErrors(form, error, fieldNamed('email')),
    }),
  );
  const again = useMutation(trpc.auth.requestPasswordReset.mutationOptions());
  const { errors } = form.formState;
  const footer = (
    <Link to={paths.signIn} search={pickReturn} className={TEXT_LINK}>
      Back to sign-in
    </Link>
  );
  if (request.isSuccess) {
    const { email } = request.variables;
    return (
      <AuthCard
        title="Check your email"
        description={
          <>
            If <b className="font-medium break-all text-ink">{email}</b> has an account, we sent a link to set
            a new password.
          </>
        }
        footer={footer}
      >
        <MailboxLink />
        <ResendButton
          initialSeconds={request.data.resendAfterSeconds}
          send={async () => (await again.mutateAsync({ email })).resendAfterSeconds}
        >
          Resend link
        </ResendButton>
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title="Reset your password"
      description="We will email you a link to set a new password."
      footer={footer}
    >
      <Form className="grid gap-4" onSubmit={form.handleSubmit((values) => request.mutate(values))}>
        <Field label="Email" error={errors.email?.message}>
          {(control) => (
            <Input {...control} {...form.register('email')} type="email" autoComplete="username" />
          )}
        </Field>
        <FormError message={errors.root?.message} />
        <Button type="submit" variant="primary" isPending={request.isPending}>
          Send reset link
        </Button>
      </Form>
    </AuthCard>
  );
}
