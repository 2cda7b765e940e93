import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { formatUsd } from '@tollgate/core/money/money';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../components/ui/button.tsx';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../components/ui/dialog.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { MoneyInput } from '../../components/ui/money-input.tsx';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { queryClient } from '../../lib/query-client.ts';
import { trpc } from '../../lib/trpc.ts';
import { thresholdSchema } from './auto-top-up-form.ts';

const schema = z.object({ thresholdUsd: thresholdSchema });

interface LowBalanceDialogProps {
  accountId: string;
  /** null: no low-balance email. */
  thresholdNanoUsd: string | null;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Threshold of the low-balance email to owners and admins. */
export function LowBalanceDialog(props: LowBalanceDialogProps) {
  const { accountId, thresholdNanoUsd, onClose, onCloseAutoFocus } = props;
  const isOn = thresholdNanoUsd !== null;
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { thresholdUsd: isOn ? formatUsd(BigInt(thresholdNanoUsd)) : '' },
  });
  const save = useMutation(
    trpc.billing.setLowBalanceAlert.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.billing.pathFilter());
        onClose();
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('thresholdUsd')),
    }),
  );
  const { errors } = form.formState;
  const isTurningOff = save.isPending && save.variables.thresholdUsd === null;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !save.isPending && onClose()}>
      <DialogContent
        title="Low-balance email"
        description="We email owners and admins each time the balance falls below this amount."
        className="max-w-[480px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={form.handleSubmit((values) => save.mutate({ accountId, ...values }))}>
          <DialogBody>
            <Field label="When the balance falls below" error={errors.thresholdUsd?.message}>
              {(control) => <MoneyInput {...control} {...form.register('thresholdUsd')} placeholder="5" />}
            </Field>
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions
            aside={
              isOn && (
                <Button
                  className="mr-auto"
                  isPending={isTurningOff}
                  onClick={() => save.mutate({ accountId, thresholdUsd: null })}
                >
                  Turn off
                </Button>
              )
            }
            isPending={save.isPending && !isTurningOff}
          >
            {isOn ? 'Save changes' : 'Turn on'}
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}
