import { useWatch, type UseFormReturn } from 'react-hook-form';
import { Field } from '../../components/ui/field.tsx';
import { MoneyInput } from '../../components/ui/money-input.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { RoundedBalance } from '../../components/ui/rounded-cost.tsx';
import { formatCap } from '../../lib/format/money.ts';
import type { Billing } from '../../lib/trpc.ts';
import { sumAmounts } from './amount.ts';
import { TaxLines } from './tax-lines.tsx';
import { presetsWithin, readPayment, type AmountRange, type TopUp, type TopUpForm } from './top-up-form.ts';
import { plainNumber } from '../../lib/typed-number.ts';

interface AmountFieldProps {
  form: UseFormReturn<TopUpForm, unknown, TopUp>;
  range: AmountRange;
  billing: Billing;
}

/** Preset amounts, a field for other amounts, and the resulting balance. */
export function AmountField({ form, range, billing }: AmountFieldProps) {
  const text = useWatch({ control: form.control, name: 'amountUsd' });
  const presets = presetsWithin(range);
  const payment = readPayment(text, range);
  const pick = (usd: string) =>
    form.setValue('amountUsd', usd, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  return (
    <div className="grid gap-2.5">
      {presets.length > 1 && (
        <Segmented
          label="Preset amounts"
          value={plainNumber(text)}
          options={presets.map((usd) => ({ value: usd, label: `$${usd}` }))}
          onValueChange={pick}
          className="w-full *:flex-1"
        />
      )}
      <Field
        label={billing.taxes.mode === 'included' ? 'Amount (USD)' : 'Credit (USD)'}
        hint={`From ${formatCap(range.minNanoUsd.toString())} to ${formatCap(range.maxNanoUsd.toString())}`}
        error={form.formState.errors.amountUsd?.message}
      >
        {(control) => <MoneyInput {...control} {...form.register('amountUsd')} placeholder="20" />}
      </Field>
      <output className="grid gap-2 text-[13px] text-ink-2">
        {payment.ok && billing.taxes.mode === 'on_top' && (
          <TaxLines creditNanoUsd={payment.amount} taxes={billing.taxes} />
        )}
        {payment.ok && billing.taxes.mode === 'stripe' && (
          <span>The payment page adds taxes by your address and shows them before you pay.</span>
        )}
        {payment.ok && (
          <span>
            Balance after payment:{' '}
            <b className="font-medium text-ink">
              <RoundedBalance nanoUsd={sumAmounts(billing.availableNanoUsd, payment.amount.toString())} />
            </b>
          </span>
        )}
      </output>
    </div>
  );
}
