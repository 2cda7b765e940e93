import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { toast } from '../../../lib/toast.ts';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { useDiscardGuard } from '../../../components/ui/discard-guard.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { applyServerErrors } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorPreset, OperatorProvider } from '../operator-types.ts';
import { ProviderFields } from './provider-fields.tsx';
import {
  emptyProviderForm,
  findProviderField,
  getHeaders,
  getProviderForm,
  getProviderTerms,
  type ProviderForm,
} from './provider-form.ts';

interface ProviderDialogProps {
  /** null for a new provider. */
  provider: OperatorProvider | null;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

const OWN = '';

/** Adds a preset provider or a custom endpoint, or edits a provider. */
export function ProviderDialog({ provider, onClose, onCloseAutoFocus }: ProviderDialogProps) {
  const presets = useQuery(trpc.operator.providers.presets.queryOptions(undefined, { staleTime: Infinity }));
  const [presetName, setPresetName] = useState(provider === null ? 'openai' : (provider.preset ?? OWN));
  const preset = presets.data?.presets.find(({ name }) => name === presetName) ?? null;
  const guard = useDiscardGuard(onClose);
  return (
    <Dialog open onOpenChange={guard.onOpenChange}>
      <DialogContent
        onInput={guard.onInput}
        title={provider === null ? 'Add provider' : `Edit ${provider.name}`}
        description={
          provider === null
            ? 'An API that runs models. Add routes to it on the page of each model.'
            : 'Changes apply to the next request on every replica.'
        }
        onCloseAutoFocus={onCloseAutoFocus}
      >
        {provider === null && (
          <DialogBody className="pb-0">
            <Field label="Provider type">
              {(control) => (
                <Select
                  {...control}
                  value={presetName}
                  onChange={(event) => setPresetName(event.target.value)}
                >
                  {(presets.data?.presets ?? []).map(({ name, title }) => (
                    <option key={name} value={name}>
                      {title}
                    </option>
                  ))}
                  <option value={OWN}>Custom endpoint</option>
                </Select>
              )}
            </Field>
          </DialogBody>
        )}
        {presets.data !== undefined && (
          <ProviderFormBody key={presetName} provider={provider} preset={preset} onClose={onClose} />
        )}
        {guard.question}
      </DialogContent>
    </Dialog>
  );
}

interface ProviderFormBodyProps {
  provider: OperatorProvider | null;
  preset: OperatorPreset | null;
  onClose: () => void;
}

function ProviderFormBody({ provider, preset, onClose }: ProviderFormBodyProps) {
  const form = useForm<ProviderForm>({
    defaultValues: provider === null ? emptyProviderForm(preset) : getProviderForm(provider, preset),
  });
  const options = {
    onSuccess: async () => {
      await queryClient.invalidateQueries(trpc.operator.pathFilter());
      onClose();
      toast.success(provider === null ? 'Provider added' : `${provider.name} updated`, {
        description: 'Run a test to check the connection.',
      });
    },
    onError: (error: unknown) => applyServerErrors(form, error, findProviderField),
  };
  const add = useMutation(trpc.operator.providers.add.mutationOptions(options));
  const change = useMutation(trpc.operator.providers.change.mutationOptions(options));
  const submit = (values: ProviderForm) => {
    const { name, dialect, credential, connection } = values;
    const terms = getProviderTerms(values);
    const headers = getHeaders(values);
    if (provider === null)
      add.mutate({
        name,
        dialect,
        preset: preset?.name ?? null,
        terms,
        credential,
        headers,
        connection,
      });
    else
      change.mutate({
        providerId: provider.id,
        terms,
        credential: values.forgetsCredential ? '' : credential.trim() === '' ? null : credential,
        headers,
        connection,
      });
  };
  return (
    <FormProvider {...form}>
      <Form onSubmit={form.handleSubmit(submit)}>
        <DialogBody>
          <ProviderFields provider={provider} preset={preset} />
          <FormError message={form.formState.errors.root?.message} />
        </DialogBody>
        <DialogActions isPending={add.isPending || change.isPending}>
          {provider === null ? 'Add provider' : 'Save changes'}
        </DialogActions>
      </Form>
    </FormProvider>
  );
}
