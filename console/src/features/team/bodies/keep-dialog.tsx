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

/** Turns on request logging or changes its retention. */
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
        title={isOn ? 'Change log retention' : 'Turn on request logging'}
        description={
          isOn
            ? 'Also applies to stored payloads. Older payloads are deleted immediately.'
            : 'Starts with the next request, until you turn it off.'
        }
        className="max-w-[520px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={form.handleSubmit((values) => keep.mutate({ accountId: account.id, ...values }))}>
          <DialogBody>
            {!isOn && <WhatIsKept />}
            <Field
              label="Retention (days)"
              hint={`1 to ${MAX_BODY_RETENTION_DAYS} days after the request`}
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
            {isOn ? 'Save changes' : 'Turn on logging'}
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

function WhatIsKept() {
  return (
    <dl className="grid grid-cols-[84px_minmax(0,1fr)] gap-y-2 rounded-lg bg-sunken px-3 py-2.5 text-[13px]">
      <dt className="text-ink-3">Logged</dt>
      <dd>
        Requests and responses of all keys, including the playground: prompts, images and tool results. The
        first 256 KiB of each are stored. Headers and keys are never stored.
      </dd>
      <dt className="text-ink-3">Access</dt>
      <dd>
        Owner, admins and members, in the request log. Viewers and operators viewing the account have no
        access.
      </dd>
      <dt className="text-ink-3">Storage</dt>
      <dd>Encrypted in the database of this installation. The operator holds the encryption key.</dd>
      <dt className="text-ink-3">Turning off</dt>
      <dd>All stored payloads are deleted immediately.</dd>
    </dl>
  );
}
