import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { PASSWORD_MIN_LENGTH, passwordSchema } from '@tollgate/core/keys/credentials';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../components/ui/button.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Note } from '../../components/ui/note.tsx';
import { PasswordInput } from '../../components/ui/password-input.tsx';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { trpc } from '../../lib/trpc.ts';
import { Section } from './section.tsx';

const schema = z.object({
  currentPassword: z.string().min(1, 'Enter your current password'),
  newPassword: passwordSchema,
});

export function ChangePassword() {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { currentPassword: '', newPassword: '' },
  });
  const change = useMutation(
    trpc.settings.changePassword.mutationOptions({
      onSuccess: () => form.reset(),
      onError: (error) => applyServerErrors(form, error, fieldNamed('currentPassword', 'newPassword')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Section title="Password" description="Changing it signs out all other devices. API keys keep working.">
      <Form className="grid max-w-sm gap-4" onSubmit={form.handleSubmit((values) => change.mutate(values))}>
        <Field label="Current password" error={errors.currentPassword?.message}>
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register('currentPassword')}
              autoComplete="current-password"
            />
          )}
        </Field>
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
        {change.isSuccess && (
          <Note tone="ok" announcedAs="status">
            Your password was changed. Other devices are signed out.
          </Note>
        )}
        <Button type="submit" className="justify-self-start" isPending={change.isPending}>
          Change password
        </Button>
      </Form>
    </Section>
  );
}
