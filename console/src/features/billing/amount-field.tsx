import { useWatch, type UseFormReturn } from 'react-hook-form';
import { Field } from '../../components/ui/field.tsx';
import { MoneyInput } from '../../components/ui/money-input.tsx';
import { Segmented } from '../../components/ui/segmented.tsx';
import { RoundedBalance } from '../../components/ui/rounded-cost.tsx';
import { formatCap } from '../../lib/format/money.ts';
import { sumAmounts } from './amount.ts';
import { presetsWithin, readPayment, type AmountRange, type TopUp, type TopUpForm } from './top-up-form.ts';
import { plainNumber } from '../../lib/typed-number.ts';

interface AmountFieldProps {
  form: UseFormReturn<TopUpForm, unknown, TopUp>;
  range: AmountRange;
  availableNanoUsd: string;
}

/** Preset amounts, a field for other amounts, and the resulting balance. */
export function AmountField({ form, range, availableNanoUsd }: AmountFieldProps) {
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
        label="Amount (USD)"
        hint={`From ${formatCap(range.minNanoUsd.toString())} to ${formatCap(range.maxNanoUsd.toString())}`}
        error={form.formState.errors.amountUsd?.message}
      >
        {(control) => <MoneyInput {...control} {...form.register('amountUsd')} placeholder="20" />}
      </Field>
      <output className="text-[13px] text-ink-2">
        {payment.ok && (
          <>
            Balance after payment:{' '}
            <b className="font-medium text-ink">
              <RoundedBalance nanoUsd={sumAmounts(availableNanoUsd, payment.amount.toString())} />
            </b>
          </>
        )}
      </output>
    </div>
  );
}
