import { parseUsd } from '@tollgate/core/money/money';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { Field } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { formatBalanceShort } from '../../../lib/format/money.ts';
import type { RotateForm, RotateInput } from './rotate-form.ts';
import { plainNumber } from '../../../lib/typed-number.ts';

interface KeepFieldProps {
  form: UseFormReturn<RotateForm, unknown, RotateInput>;
  leftNanoUsd: bigint;
}

/** Share of the common budget that stays with the old key while both work. */
export function KeepField({ form, leftNanoUsd }: KeepFieldProps) {
  const text = useWatch({ control: form.control, name: 'keepUsd' });
  const kept = parseUsd(plainNumber(text)) ?? 0n;
  const given = leftNanoUsd - kept;
  return (
    <Field
      label="Budget for the old key"
      error={form.formState.errors.keepUsd?.message}
      hint={
        given > 0n
          ? `Of the remaining ${formatBalanceShort(leftNanoUsd.toString())}, the new key gets ${formatBalanceShort(given.toString())} now. What the old key does not spend follows when it stops.`
          : `Leave part of the remaining ${formatBalanceShort(leftNanoUsd.toString())} for the new key.`
      }
    >
      {(control) => (
        <div className="relative w-44 max-sm:w-full">
          <span aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3">
            $
          </span>
          <Input
            {...control}
            {...form.register('keepUsd')}
            inputMode="decimal"
            autoComplete="off"
            className="pl-6"
          />
        </div>
      )}
    </Field>
  );
}
