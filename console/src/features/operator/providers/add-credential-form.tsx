import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Button } from '../../../components/ui/button.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc } from '../../../lib/trpc.ts';

const EMPTY = { label: '', weight: '1', credential: '' };

/** Adds a credential to a provider. */
export function AddCredentialForm({ providerId }: { providerId: string }) {
  const form = useForm({ defaultValues: EMPTY });
  const add = useMutation(
    trpc.operator.providerCredentials.add.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.pathFilter());
        toast.success('Credential added');
        form.reset(EMPTY);
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('label', 'weight', 'credential')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Form
      className="grid gap-3"
      onSubmit={form.handleSubmit((values) => add.mutate({ providerId, ...values }))}
    >
      <h3 className="font-medium">Add a credential</h3>
      <div className="grid gap-3 sm:grid-cols-[1fr_7rem]">
        <Field label="Label" error={errors.label?.message}>
          {(control) => (
            <Input {...control} {...form.register('label')} autoComplete="off" spellCheck={false} />
          )}
        </Field>
        <Field label="Weight" error={errors.weight?.message}>
          {(control) => <Input {...control} {...form.register('weight')} inputMode="numeric" />}
        </Field>
      </div>
      <Field
        label="Credential"
        hint="Stored encrypted and never shown again"
        error={errors.credential?.message}
      >
        {(control) => (
          <Input {...control} {...form.register('credential')} type="password" autoComplete="off" />
        )}
      </Field>
      <FormError message={errors.root?.message} />
      <div>
        <Button type="submit" isPending={add.isPending}>
          Add credential
        </Button>
      </div>
    </Form>
  );
}
