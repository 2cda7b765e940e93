import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { MAX_RETENTION_DAYS, type RetentionKind } from '@tollgate/core/requests/retention';
import { Fragment } from 'react';
import { useForm } from 'react-hook-form';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { refreshRetention } from '../../../lib/retention.ts';
import { trpc, type Account, type Retention } from '../../../lib/trpc.ts';
import { keepFormSchema } from './keep-form.ts';
import { RETENTION_TEXTS } from './retention-texts.ts';

interface KeepDialogProps {
  kind: RetentionKind;
  account: Account;
  /** null: it is off. */
  setting: Retention;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Turns on storing or changes its retention. */
export function KeepDialog({ kind, account, setting, onClose, onCloseAutoFocus }: KeepDialogProps) {
  const isOn = setting !== null;
  const texts = RETENTION_TEXTS[kind];
  const form = useForm({
    resolver: zodResolver(keepFormSchema(kind)),
    defaultValues: { retentionDays: isOn ? String(setting.retentionDays) : texts.usualDays },
  });
  const keep = useMutation(
    trpc[kind].keep.mutationOptions({
      onSuccess: async () => {
        await refreshRetention(kind);
        onClose();
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('retentionDays')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !keep.isPending && onClose()}>
      <DialogContent
        title={isOn ? texts.changeTitle : texts.turnOnTitle}
        description={isOn ? texts.change : 'Starts with the next request, until you turn it off.'}
        className="max-w-[520px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={form.handleSubmit((values) => keep.mutate({ accountId: account.id, ...values }))}>
          <DialogBody>
            {!isOn && <Facts kind={kind} />}
            <Field
              label="Retention (days)"
              hint={`1 to ${MAX_RETENTION_DAYS[kind]} days after ${texts.after}`}
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
          <DialogActions isPending={keep.isPending}>{isOn ? 'Save changes' : texts.turnOn}</DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

function Facts({ kind }: { kind: RetentionKind }) {
  return (
    <dl className="grid grid-cols-[84px_minmax(0,1fr)] gap-y-2 rounded-lg bg-sunken px-3 py-2.5 text-[13px]">
      {RETENTION_TEXTS[kind].facts.map(([term, description]) => (
        <Fragment key={term}>
          <dt className="text-ink-3">{term}</dt>
          <dd>{description}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
