import { useFormContext, useWatch } from 'react-hook-form';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { MoneyInput } from '../../../components/ui/money-input.tsx';
import { errorMessageAt } from '../error-message.ts';
import type { PriceTexts } from './price-form.ts';
import { RatesField } from './rates-field.tsx';

const CLASSES = [
  { name: 'inputUsd', label: 'Input', hint: undefined },
  { name: 'outputUsd', label: 'Output', hint: undefined },
  { name: 'cacheReadUsd', label: 'Read from a cache', hint: 'Empty: as input' },
  { name: 'cacheWriteUsd', label: 'Written to a cache', hint: 'Empty: as input' },
  { name: 'cacheWrite1hUsd', label: 'Written for an hour', hint: 'Empty: as other writes' },
] as const;

/** The classes of a price, in USD per million tokens, inside a form whose values include them. */
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
        label="Long input costs more"
        hint="A whole request, output included, costs other prices once its input is long."
        checked={hasLongInput}
        onCheckedChange={(checked) => setValue('hasLongInput', checked, { shouldDirty: true })}
      />
      {hasLongInput && (
        <fieldset className="grid gap-[15px]">
          <legend className="sr-only">Prices of long input</legend>
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
      label="Above so many input tokens"
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
      {CLASSES.map(({ name, label, hint }) => (
        <Field
          key={name}
          label={label + suffix}
          hint={hint}
          error={errorMessageAt(formState.errors, `${prefix}${name}`)}
        >
          {(control) => <MoneyInput {...control} {...register(`${prefix}${name}`)} />}
        </Field>
      ))}
    </div>
  );
}
