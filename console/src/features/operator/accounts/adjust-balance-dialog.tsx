import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { toast } from '../../../lib/toast.ts';
import { z } from 'zod';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { MoneyInput } from '../../../components/ui/money-input.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { RoundedBalance } from '../../../components/ui/rounded-cost.tsx';
import { formatBalance, formatBalanceShort } from '../../../lib/format/money.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { readAmount, subtractAmount, sumAmounts } from '../../billing/amount.ts';
import type { OperatorAccount } from '../operator-types.ts';
import { plainNumber } from '../../../lib/typed-number.ts';
import { useRequestId } from '../../../lib/use-request-id.ts';

const schema = z.object({
  direction: z.enum(['give', 'take']),
  amountUsd: z
    .string()
    .transform(plainNumber)
    .refine((text) => (readAmount(text) ?? 0n) > 0n, 'Enter an amount in USD, such as 2.50.'),
  reason: z.string().trim().min(1, 'Enter a reason. It is stored with the change.').max(500),
});

interface AdjustBalanceDialogProps {
  account: OperatorAccount;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Adds or deducts credit. The button shows the amount. */
export function AdjustBalanceDialog({ account, onClose, onCloseAutoFocus }: AdjustBalanceDialogProps) {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { direction: 'give' as const, amountUsd: '', reason: '' },
  });
  const getRequestId = useRequestId();
  const adjust = useMutation(
    trpc.operator.accounts.adjustBalance.mutationOptions({
      onSuccess: async ({ isNew, account: changed }) => {
        await queryClient.invalidateQueries(trpc.operator.accounts.pathFilter());
        onClose();
        toast.success(isNew ? 'Balance adjusted' : 'Already posted', {
          description: `New balance of ${changed.name}: ${formatBalanceShort(changed.availableNanoUsd)}`,
        });
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('amountUsd', 'reason')),
    }),
  );
  const [direction, amountUsd] = useWatch({ control: form.control, name: ['direction', 'amountUsd'] });
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !adjust.isPending && onClose()}>
      <DialogContent
        title="Adjust balance"
        description={`Current balance of ${account.name}: ${formatBalanceShort(account.availableNanoUsd)}`}
        className="max-w-[480px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form
          onSubmit={form.handleSubmit((values) =>
            adjust.mutate({ accountId: account.id, ...values, requestId: getRequestId(values) }),
          )}
        >
          <DialogBody>
            <Controller
              control={form.control}
              name="direction"
              render={({ field }) => (
                <Segmented
                  label="Direction"
                  value={field.value}
                  options={DIRECTIONS}
                  onValueChange={field.onChange}
                  className="w-full *:flex-1"
                />
              )}
            />
            <Field label="Amount in USD" error={errors.amountUsd?.message}>
              {(control) => <MoneyInput {...control} {...form.register('amountUsd')} placeholder="25" />}
            </Field>
            <Field
              label="Reason"
              hint="Shown to the account's members in their billing activity."
              error={errors.reason?.message}
            >
              {(control) => <Input {...control} {...form.register('reason')} maxLength={500} />}
            </Field>
            <After account={account} direction={direction} amountUsd={amountUsd} />
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={adjust.isPending}>{submitLabel(direction, amountUsd)}</DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

const DIRECTIONS = [
  { value: 'give', label: 'Add credit' },
  { value: 'take', label: 'Deduct credit' },
] as const;

function submitLabel(direction: 'give' | 'take', amountUsd: string): string {
  const amount = readAmount(amountUsd);
  const sum = amount === null || amount <= 0n ? ' credit' : ` ${formatBalance(amount.toString())}`;
  return direction === 'give' ? `Add${sum}` : `Deduct${sum}`;
}

function After(props: { account: OperatorAccount; direction: 'give' | 'take'; amountUsd: string }) {
  const { account, direction, amountUsd } = props;
  const amount = readAmount(amountUsd);
  const change = direction === 'give' ? sumAmounts : subtractAmount;
  return (
    <output className="text-[13px] text-ink-2">
      {amount !== null && amount > 0n && (
        <>
          New balance:{' '}
          <b className="font-medium text-ink">
            <RoundedBalance nanoUsd={change(account.availableNanoUsd, amount.toString())} />
          </b>
        </>
      )}
    </output>
  );
}
