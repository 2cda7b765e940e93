import type { PriceUsdField } from '@tollgate/core/money/price-fields';
import { typedKeys } from '@tollgate/core/runtime/typed-keys';
import { useFormContext, useWatch } from 'react-hook-form';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { MoneyInput } from '../../../components/ui/money-input.tsx';
import { errorMessageAt } from '../error-message.ts';
import type { PriceTexts } from './price-form.ts';
import { RatesField } from './rates-field.tsx';

const LABELS: Record<PriceUsdField, { label: string; hint?: string }> = {
  inputUsd: { label: 'Input' },
  outputUsd: { label: 'Output' },
  cacheReadUsd: { label: 'Cached input', hint: 'Defaults to the input price.' },
  cacheWriteUsd: { label: 'Cache write', hint: 'Defaults to the input price.' },
  cacheWrite1hUsd: { label: 'Cache write (1 h)', hint: 'Defaults to the cache-write price.' },
};

/** Price fields of each token class, in USD per million tokens. */
export function PriceFields() {
  const { control, setValue } = useFormContext<PriceTexts>();
  const hasLongInput = useWatch({ control, name: 'hasLongInput' });
  return (
    <>
      <fieldset>
        <legend className="mb-2 text-[13px] text-ink-2">USD per million tokens</legend>
        <ClassFields prefix="" suffix="" />
      </fieldset>
      <Checkbox
        label="Different prices for long input"
        hint="Above the threshold, these prices apply to the whole request, output included."
        checked={hasLongInput}
        onCheckedChange={(checked) => setValue('hasLongInput', checked, { shouldDirty: true })}
      />
      {hasLongInput && (
        <fieldset className="grid gap-[15px]">
          <legend className="sr-only">Long-input prices</legend>
          <LongThreshold />
          <ClassFields prefix="longInput." suffix=", long input" />
        </fieldset>
      )}
      <RatesField />
    </>
  );
}

function LongThreshold() {
  const { register, formState } = useFormContext<PriceTexts>();
  return (
    <Field
      label="Threshold, in input tokens"
      error={errorMessageAt(formState.errors, 'longInput.aboveInputTokens')}
    >
      {(control) => (
        <Input
          {...control}
          {...register('longInput.aboveInputTokens')}
          inputMode="numeric"
          placeholder="200000"
        />
      )}
    </Field>
  );
}

function ClassFields({ prefix, suffix }: { prefix: '' | 'longInput.'; suffix: string }) {
  const { register, formState } = useFormContext<PriceTexts>();
  return (
    <div className="grid gap-[15px] sm:grid-cols-2">
      {typedKeys(LABELS).map((name) => (
        <Field
          key={name}
          label={LABELS[name].label + suffix}
          hint={LABELS[name].hint}
          error={errorMessageAt(formState.errors, `${prefix}${name}`)}
        >
          {(control) => <MoneyInput {...control} {...register(`${prefix}${name}`)} />}
        </Field>
      ))}
    </div>
  );
}
