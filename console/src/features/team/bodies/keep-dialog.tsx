import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { MAX_BODY_RETENTION_DAYS } from '@tollgate/core/requests/kept-bodies';
import { useForm } from 'react-hook-form';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { refreshBodies } from '../../../lib/body-setting.ts';
import { trpc, type Account, type BodySetting } from '../../../lib/trpc.ts';
import { keepFormSchema } from './keep-form.ts';

const USUAL_DAYS = '7';

interface KeepDialogProps {
  account: Account;
  /** null: it is off. */
  setting: BodySetting;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Says what is kept, who reads it and how long, before it is turned on. */
export function KeepDialog({ account, setting, onClose, onCloseAutoFocus }: KeepDialogProps) {
  const isOn = setting !== null;
  const form = useForm({
    resolver: zodResolver(keepFormSchema),
    defaultValues: { retentionDays: isOn ? String(setting.retentionDays) : USUAL_DAYS },
  });
  const keep = useMutation(
    trpc.bodies.keep.mutationOptions({
      onSuccess: async () => {
        await refreshBodies();
        onClose();
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('retentionDays')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !keep.isPending && onClose()}>
      <DialogContent
        title={isOn ? 'How long bodies are kept' : 'Keep request and answer bodies'}
        description={
          isOn
            ? 'It counts for what is stored already, too: what is older is deleted at once.'
            : 'From the next request on, until somebody turns it off.'
        }
        className="max-w-[520px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={form.handleSubmit((values) => keep.mutate({ accountId: account.id, ...values }))}>
          <DialogBody>
            {!isOn && <WhatIsKept />}
            <Field
              label="Days to keep them"
              hint={`From 1 to ${MAX_BODY_RETENTION_DAYS}, counted from the request`}
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
          <DialogActions isPending={keep.isPending}>{isOn ? 'Save' : 'Keep bodies'}</DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

function WhatIsKept() {
  return (
    <dl className="grid grid-cols-[84px_minmax(0,1fr)] gap-y-2 rounded-lg bg-sunken px-3 py-2.5 text-[13px]">
      <dt className="text-ink-3">Kept</dt>
      <dd>
        What every key of this account sends and is answered, the playground&rsquo;s too, with prompts, images
        and results of tools: the first 256 KiB of each. Headers and keys are never kept.
      </dd>
      <dt className="text-ink-3">Read by</dt>
      <dd>
        Its owner, admins and members, in the request log. Not by viewers, and not by an operator who looks at
        the account.
      </dd>
      <dt className="text-ink-3">Stored</dt>
      <dd>
        Encrypted, in the database of this installation. Whoever runs the installation holds its encryption
        key.
      </dd>
      <dt className="text-ink-3">Turned off</dt>
      <dd>Everything that was stored is deleted at once.</dd>
    </dl>
  );
}
