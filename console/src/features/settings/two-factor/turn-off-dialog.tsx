import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { secondFactorCodeSchema } from '@tollgate/core/keys/credentials';
import { useForm } from 'react-hook-form';
import { toast } from '../../../lib/toast.ts';
import { z } from 'zod';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';

const schema = z.object({ code: secondFactorCodeSchema });

/** Requires the password and a code. */
export function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { code: '' } });
  const turnOff = useMutation(
    trpc.twoFactor.turnOff.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.twoFactor.pathFilter());
        onClose();
        toast.success('Two-factor authentication is off');
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('code')),
    }),
  );
  const { errors } = form.formState;
  return (
    <ConfirmDialog
      title="Turn off two-factor authentication?"
      description="Signing in no longer asks for a code. Your recovery codes stop working."
      action="Turn off"
      isPending={turnOff.isPending}
      onConfirm={() => void form.handleSubmit((values) => turnOff.mutate(values))()}
      onClose={onClose}
    >
      <Field label="Authenticator or recovery code" error={errors.code?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register('code')}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono"
          />
        )}
      </Field>
      <FormError message={errors.root?.message} />
    </ConfirmDialog>
  );
}
