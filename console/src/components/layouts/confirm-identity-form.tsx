import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../ui/button.tsx';
import { DialogBody, DialogFooter } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { FormError } from '../ui/form-error.tsx';
import { PasswordInput } from '../ui/password-input.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { applyServerErrors, describeError, fieldNamed } from '../../lib/api-error.ts';
import { useConfirmationMethods } from '../../lib/confirmation-methods.ts';
import { useSession } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { ConfirmElsewhere } from './confirm-elsewhere.tsx';
import { PasskeyConfirmation } from './passkey-confirmation.tsx';

const schema = z.object({ password: z.string().min(1, 'Enter your password') });

interface ConfirmIdentityFormProps {
  onConfirmed: () => void;
  onCancel: () => void;
}

/** Its answer is the server's: it counts for whatever this login asks for in the next minutes. */
export function ConfirmIdentityForm({ onConfirmed, onCancel }: ConfirmIdentityFormProps) {
  const methods = useConfirmationMethods();
  if (methods.data === undefined)
    return (
      <>
        <DialogBody>
          {methods.isError ? (
            <FormError message={describeError(methods.error)} />
          ) : (
            <Skeleton className="h-9 w-full" />
          )}
        </DialogBody>
        <DialogFooter>
          <Button onClick={onCancel}>Cancel</Button>
        </DialogFooter>
      </>
    );
  const { hasPassword, providers } = methods.data;
  return hasPassword ? (
    <PasswordForm onConfirmed={onConfirmed} onCancel={onCancel} />
  ) : (
    <ConfirmElsewhere providers={providers} onConfirmed={onConfirmed} onCancel={onCancel} />
  );
}

function PasswordForm({ onConfirmed, onCancel }: ConfirmIdentityFormProps) {
  const { user } = useSession();
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { password: '' } });
  useEffect(() => form.setFocus('password'), [form]);
  const confirm = useMutation(
    trpc.sessions.confirm.mutationOptions({
      onSuccess: onConfirmed,
      onError: (error) => applyServerErrors(form, error, fieldNamed('password')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Form onSubmit={form.handleSubmit((values) => confirm.mutate(values))}>
      <DialogBody>
        {/* Password managers find the login by it. */}
        <input type="hidden" autoComplete="username" value={user?.email ?? ''} readOnly />
        <Field label="Your password" error={errors.password?.message}>
          {(control) => (
            <PasswordInput {...control} {...form.register('password')} autoComplete="current-password" />
          )}
        </Field>
        <FormError message={errors.root?.message} />
        <PasskeyConfirmation label="Use a passkey instead" onConfirmed={onConfirmed} />
      </DialogBody>
      <DialogFooter>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" isPending={confirm.isPending}>
          Confirm
        </Button>
      </DialogFooter>
    </Form>
  );
}
