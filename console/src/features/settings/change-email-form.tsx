import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { emailSchema } from '@tollgate/core/keys/credentials';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../components/ui/button.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Input } from '../../components/ui/input.tsx';
import { PasswordInput } from '../../components/ui/password-input.tsx';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { useConfirmationMethods } from '../../lib/confirmation-methods.ts';
import { trpc } from '../../lib/trpc.ts';

const schema = z.object({
  email: emailSchema,
  /** Absent if the login has no password. */
  password: z.string().min(1, 'Enter your current password').optional(),
});

interface ChangeEmailFormProps {
  onRequested: (email: string) => void;
}

export function ChangeEmailForm({ onRequested }: ChangeEmailFormProps) {
  const { data } = useConfirmationMethods();
  if (data === undefined) return null;
  return <EmailForm hasPassword={data.hasPassword} onRequested={onRequested} />;
}

function EmailForm({ hasPassword, onRequested }: ChangeEmailFormProps & { hasPassword: boolean }) {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { email: '', ...(hasPassword && { password: '' }) },
  });
  const request = useMutation(
    trpc.settings.requestEmailChange.mutationOptions({
      onSuccess: (_, { email }) => onRequested(email),
      onError: (error) => applyServerErrors(form, error, fieldNamed('email', 'password')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Form className="grid max-w-sm gap-4" onSubmit={form.handleSubmit((values) => request.mutate(values))}>
      <Field label="New email" error={errors.email?.message}>
        {(control) => <Input {...control} {...form.register('email')} type="email" autoComplete="email" />}
      </Field>
      {hasPassword && (
        <Field label="Your password" error={errors.password?.message}>
          {(control) => (
            <PasswordInput {...control} {...form.register('password')} autoComplete="current-password" />
          )}
        </Field>
      )}
      <FormError message={errors.root?.message} />
      <Button type="submit" className="justify-self-start" isPending={request.isPending}>
        Send confirmation email
      </Button>
    </Form>
  );
}
