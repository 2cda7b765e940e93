import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc, type OwnCredential } from '../../../lib/trpc.ts';

interface OwnCredentialDialogProps {
  accountId: string;
  provider: OwnCredential;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Attaches a credential of the account to a provider, or changes it. */
export function OwnCredentialDialog(props: OwnCredentialDialogProps) {
  const { accountId, provider, onClose, onCloseAutoFocus } = props;
  const { providerId, name, form: credentialForm, credential } = provider;
  const isNew = credential === null;
  const form = useForm<{ mode: 'first' | 'only'; credential: string }>({
    defaultValues: { mode: credential?.mode ?? 'first', credential: '' },
  });
  const set = useMutation(
    trpc.ownCredentials.set.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.ownCredentials.pathFilter());
        onClose();
        toast.success(isNew ? 'Credential attached' : 'Credential changed');
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('credential', 'mode')),
    }),
  );
  const submit = form.handleSubmit(({ mode, credential: text }) =>
    set.mutate({ accountId, providerId, mode, credential: text.trim() === '' && !isNew ? null : text }),
  );
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={`${isNew ? 'Attach' : 'Change'} credential for ${name}`}
        description="All keys of this account use it. The provider bills you directly."
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={submit}>
          <DialogBody>
            <Field
              label="Credential"
              hint={
                isNew
                  ? `Enter ${credentialForm}. It is stored encrypted and never shown.`
                  : 'Leave empty to keep the current one'
              }
              error={errors.credential?.message}
            >
              {(control) => (
                <Input {...control} {...form.register('credential')} type="password" autoComplete="off" />
              )}
            </Field>
            <Field label="Use" error={errors.mode?.message}>
              {(control) => (
                <Select {...control} {...form.register('mode')}>
                  <option value="first">First, then the gateway’s credentials</option>
                  <option value="only">Exclusively</option>
                </Select>
              )}
            </Field>
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={set.isPending}>
            {isNew ? 'Attach credential' : 'Save changes'}
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}
