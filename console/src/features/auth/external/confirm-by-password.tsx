import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../../components/ui/button.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { PasswordInput } from '../../../components/ui/password-input.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { trpc, type ExternalOutcome } from '../../../lib/trpc.ts';

const schema = z.object({ password: z.string().min(1, 'Enter your password') });

interface ConfirmByPasswordProps {
  /** For password managers. */
  email: string;
  onDone: (outcome: ExternalOutcome) => Promise<void>;
}

export function ConfirmByPassword({ email, onDone }: ConfirmByPasswordProps) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { password: '' } });
  const confirm = useMutation(
    trpc.external.confirm.mutationOptions({
      onSuccess: onDone,
      onError: (error) => applyServerErrors(form, error, fieldNamed('password')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Form className="grid gap-4" onSubmit={form.handleSubmit((values) => confirm.mutate(values))}>
      <input type="email" value={email} autoComplete="username" readOnly hidden />
      <Field label="Password" error={errors.password?.message}>
        {(control) => (
          <PasswordInput {...control} {...form.register('password')} autoComplete="current-password" />
        )}
      </Field>
      <FormError message={errors.root?.message} />
      <Button type="submit" variant="primary" isPending={confirm.isPending || confirm.isSuccess}>
        Link and sign in
      </Button>
    </Form>
  );
}
