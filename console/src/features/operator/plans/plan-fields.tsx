import type { PlanTermsField } from '@tollgate/core/money/plan-terms';
import type { ReactNode } from 'react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { MoneyInput } from '../../../components/ui/money-input.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { cn } from '../../../lib/cn.ts';
import type { PlanForm, PlanFormResult } from './plan-form.ts';
import { PlanModels } from './plan-models.tsx';

export type PlanFormHandle = UseFormReturn<PlanForm, unknown, PlanFormResult>;

interface TermProps {
  form: PlanFormHandle;
}

/** The form field of each term, in the order of the form; `isWide` ones take a whole row. */
const TERM_FIELDS: Record<PlanTermsField, { Field: (props: TermProps) => ReactNode; isWide?: boolean }> = {
  rpm: { Field: ({ form }) => <LimitField form={form} name="rpm" label="Requests per minute" /> },
  tpm: { Field: ({ form }) => <LimitField form={form} name="tpm" label="Tokens per minute" /> },
  priceMultiplier: { Field: MultiplierField },
  ownCredentialFee: { Field: FeeField },
  includedCreditUsd: { Field: CreditField },
  countsCacheReads: { Field: CacheReadsField, isWide: true },
  isPrepaid: { Field: PrepaidField, isWide: true },
  forwardsUnknown: { Field: UnknownField, isWide: true },
  allowedModels: { Field: ModelsField, isWide: true },
};

export function PlanFields({ form }: TermProps) {
  return (
    <div className="grid gap-[15px] sm:grid-cols-2">
      {Object.entries(TERM_FIELDS).map(([name, { Field: TermField, isWide = false }]) => (
        <div key={name} className={cn('min-w-0', isWide && 'sm:col-span-2')}>
          <TermField form={form} />
        </div>
      ))}
    </div>
  );
}

function LimitField({ form, name, label }: TermProps & { name: 'rpm' | 'tpm'; label: string }) {
  return (
    <Field label={label} hint="Leave empty for no limit" error={form.formState.errors[name]?.message}>
      {(control) => <Input {...control} {...form.register(name)} inputMode="numeric" />}
    </Field>
  );
}

function CacheReadsField({ form }: TermProps) {
  return (
    <Field
      label="Cached input and tokens per minute"
      hint="Coding agents resend the conversation with each request. If cached input counts, they reach the limit sooner."
      error={form.formState.errors.countsCacheReads?.message}
    >
      {(control) => (
        <Select {...control} {...form.register('countsCacheReads')}>
          <option value="auto">Not counted for Claude models</option>
          <option value="skip">Not counted</option>
          <option value="count">Counted</option>
        </Select>
      )}
    </Field>
  );
}

function MultiplierField({ form }: TermProps) {
  return (
    <Field
      label="Price multiplier"
      hint="1.2 adds 20% to model prices"
      error={form.formState.errors.priceMultiplier?.message}
    >
      {(control) => <Input {...control} {...form.register('priceMultiplier')} inputMode="decimal" />}
    </Field>
  );
}

function FeeField({ form }: TermProps) {
  return (
    <Field
      label="Fee with own credential"
      hint="0.05 charges 5% of model prices if the account pays the provider"
      error={form.formState.errors.ownCredentialFee?.message}
    >
      {(control) => <Input {...control} {...form.register('ownCredentialFee')} inputMode="decimal" />}
    </Field>
  );
}

function CreditField({ form }: TermProps) {
  return (
    <Field
      label="Included credit in USD"
      hint="Added once per account"
      error={form.formState.errors.includedCreditUsd?.message}
    >
      {(control) => <MoneyInput {...control} {...form.register('includedCreditUsd')} />}
    </Field>
  );
}

function PrepaidField({ form }: TermProps) {
  return (
    <Controller
      control={form.control}
      name="isPrepaid"
      render={({ field }) => (
        <Checkbox
          label="Prepaid"
          hint="Requests are paid from the balance. If off, usage is recorded but not charged."
          checked={field.value}
          onCheckedChange={field.onChange}
        />
      )}
    />
  );
}

function UnknownField({ form }: TermProps) {
  return (
    <Field
      label="Unknown request fields"
      hint="Fields that Tollgate does not know. They may change the model or the price."
      error={form.formState.errors.forwardsUnknown?.message}
    >
      {(control) => (
        <Select {...control} {...form.register('forwardsUnknown')}>
          <option value="auto">Drop if the plan charges money</option>
          <option value="drop">Always drop</option>
          <option value="forward">Always forward</option>
        </Select>
      )}
    </Field>
  );
}

function ModelsField({ form }: TermProps) {
  return (
    <Controller
      control={form.control}
      name="allowedModels"
      render={({ field, fieldState }) => (
        <PlanModels chosen={field.value} error={fieldState.error?.message} onChange={field.onChange} />
      )}
    />
  );
}
