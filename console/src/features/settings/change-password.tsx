import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { PASSWORD_MIN_LENGTH, passwordSchema } from '@tollgate/core/keys/credentials';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../components/ui/button.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { PasswordInput } from '../../components/ui/password-input.tsx';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { useConfirmationMethods } from '../../lib/confirmation-methods.ts';
import { queryClient } from '../../lib/query-client.ts';
import { toast } from '../../lib/toast.ts';
import { trpc } from '../../lib/trpc.ts';
import { Section } from './section.tsx';

const schema = z.object({
  /** Absent if the login has no password yet. */
  currentPassword: z.string().min(1, 'Enter your current password').optional(),
  newPassword: passwordSchema,
});

export function ChangePassword() {
  const { data } = useConfirmationMethods();
  if (data === undefined) return null;
  return <PasswordSection key={String(data.hasPassword)} hasPassword={data.hasPassword} />;
}

function PasswordSection({ hasPassword }: { hasPassword: boolean }) {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { newPassword: '', ...(hasPassword && { currentPassword: '' }) },
  });
  const change = useMutation(
    trpc.settings.changePassword.mutationOptions({
      onSuccess: async () => {
        form.reset();
        toast.success(hasPassword ? 'Your password was changed' : 'Your password was set');
        await queryClient.invalidateQueries(trpc.sessions.pathFilter());
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('currentPassword', 'newPassword')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Section
      title="Password"
      description={
        hasPassword
          ? 'Changing it signs out all other devices. API keys keep working.'
          : 'You have no password. If you set one, you can also sign in with it. Other devices are signed out.'
      }
    >
      <Form className="grid max-w-sm gap-4" onSubmit={form.handleSubmit((values) => change.mutate(values))}>
        {hasPassword && (
          <Field label="Current password" error={errors.currentPassword?.message}>
            {(control) => (
              <PasswordInput
                {...control}
                {...form.register('currentPassword')}
                autoComplete="current-password"
              />
            )}
          </Field>
        )}
        <Field
          label="New password"
          hint={`At least ${PASSWORD_MIN_LENGTH} characters.`}
          error={errors.newPassword?.message}
        >
          {(control) => (
            <PasswordInput {...control} {...form.register('newPassword')} autoComplete="new-password" />
          )}
        </Field>
        <FormError message={errors.root?.message} />
        <Button type="submit" className="justify-self-start" isPending={change.isPending}>
          {hasPassword ? 'Change password' : 'Set password'}
        </Button>
      </Form>
    </Section>
  );
}
