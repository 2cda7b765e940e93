import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { MAX_RESPONSE_RETENTION_DAYS } from '@tollgate/core/requests/stored-responses';
import { useForm } from 'react-hook-form';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { refreshResponseSetting } from '../../../lib/response-setting.ts';
import { trpc, type Account, type ResponseSetting } from '../../../lib/trpc.ts';
import { keepFormSchema } from './keep-form.ts';

const USUAL_DAYS = '30';

interface KeepDialogProps {
  account: Account;
  /** null: it is off. */
  setting: ResponseSetting;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Turns on stored responses or changes their retention. */
export function KeepDialog({ account, setting, onClose, onCloseAutoFocus }: KeepDialogProps) {
  const isOn = setting !== null;
  const form = useForm({
    resolver: zodResolver(keepFormSchema),
    defaultValues: { retentionDays: isOn ? String(setting.retentionDays) : USUAL_DAYS },
  });
  const keep = useMutation(
    trpc.responses.keep.mutationOptions({
      onSuccess: async () => {
        await refreshResponseSetting();
        onClose();
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('retentionDays')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !keep.isPending && onClose()}>
      <DialogContent
        title={isOn ? 'Change retention' : 'Turn on stored responses'}
        description={
          isOn
            ? 'Also applies to responses that are stored already. Older ones are deleted immediately.'
            : 'Starts with the next request, until you turn it off.'
        }
        className="max-w-[520px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={form.handleSubmit((values) => keep.mutate({ accountId: account.id, ...values }))}>
          <DialogBody>
            {!isOn && <WhatIsStored />}
            <Field
              label="Retention (days)"
              hint={`1 to ${MAX_RESPONSE_RETENTION_DAYS} days after the response`}
              error={errors.retentionDays?.message}
            >
              {(control) => (
                <Input
                  {...control}
                  {...form.register('retentionDays')}
                  inputMode="numeric"
                  autoComplete="off"
                  className="max-w-28"
                />
              )}
            </Field>
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={keep.isPending}>
            {isOn ? 'Save changes' : 'Turn on storing'}
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

function WhatIsStored() {
  return (
    <dl className="grid grid-cols-[84px_minmax(0,1fr)] gap-y-2 rounded-lg bg-sunken px-3 py-2.5 text-[13px]">
      <dt className="text-ink-3">Stored</dt>
      <dd>
        Input and output of requests to the Responses API. Requests with store set to false are not stored.
      </dd>
      <dt className="text-ink-3">Access</dt>
      <dd>Every API key of this account, through the API. The console does not show them.</dd>
      <dt className="text-ink-3">Storage</dt>
      <dd>Encrypted in the database of this installation. The operator holds the encryption key.</dd>
      <dt className="text-ink-3">Turning off</dt>
      <dd>All stored responses are deleted immediately.</dd>
    </dl>
  );
}
