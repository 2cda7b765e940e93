import type { KeyScopeField } from '@tollgate/core/keys/key-scope';
import type { ReactNode } from 'react';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { Field } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { cn } from '../../../lib/cn.ts';
import { formatCount } from '../../../lib/format/count.ts';
import { ExpiryField } from './expiry-field.tsx';
import { ModelPicker } from './model-picker.tsx';
import type { NewKeyForm, NewKeyScope } from './new-key-form.ts';

interface NewKeyFieldsProps {
  form: UseFormReturn<NewKeyForm, unknown, NewKeyScope>;
  accountId: string;
}

/** The form field of each field of the scope; `isWide` ones take a whole row. */
const SCOPE_FIELDS: Record<
  KeyScopeField,
  { Field: (props: NewKeyFieldsProps) => ReactNode; isWide?: boolean }
> = {
  name: { Field: NameField, isWide: true },
  allowedModels: { Field: ModelsField, isWide: true },
  maxBudgetUsd: { Field: BudgetField },
  rpm: { Field: ({ form }) => <CountField form={form} name="rpm" label="Requests / min" /> },
  tpm: { Field: ({ form }) => <CountField form={form} name="tpm" label="Tokens / min" /> },
  expiresAt: { Field: ExpiryField, isWide: true },
};

export function NewKeyFields({ form, accountId }: NewKeyFieldsProps) {
  return (
    <>
      <div className="grid gap-x-3 gap-y-[15px] sm:grid-cols-3">
        {Object.entries(SCOPE_FIELDS).map(([name, { Field: ScopeField, isWide = false }]) => (
          <div key={name} className={cn('min-w-0', isWide && 'sm:col-span-3')}>
            <ScopeField form={form} accountId={accountId} />
          </div>
        ))}
      </div>
      <Field
        label="Tags"
        hint="Comma-separated. Can be changed later."
        error={form.formState.errors.tags?.message}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('tags')}
            placeholder="prod, team-search"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
    </>
  );
}

function NameField({ form }: NewKeyFieldsProps) {
  return (
    <Field label="Name" error={form.formState.errors.name?.message}>
      {(control) => (
        <Input
          {...control}
          {...form.register('name')}
          placeholder="production-api"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </Field>
  );
}

function ModelsField({ form, accountId }: NewKeyFieldsProps) {
  return (
    <Controller
      control={form.control}
      name="allowedModels"
      render={({ field, fieldState }) => (
        <ModelPicker
          accountId={accountId}
          chosen={field.value}
          onChange={(models) => {
            field.onChange(models);
            if (form.formState.isSubmitted) void form.trigger('allowedModels');
          }}
          inputRef={field.ref}
          error={fieldState.error?.message}
        />
      )}
    />
  );
}

function BudgetField({ form }: NewKeyFieldsProps) {
  return (
    <Field label="Budget" hint="Total, never exceeded" error={form.formState.errors.maxBudgetUsd?.message}>
      {(control) => (
        <div className="relative">
          <span aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3">
            $
          </span>
          <Input
            {...control}
            {...form.register('maxBudgetUsd')}
            inputMode="decimal"
            placeholder="No limit"
            autoComplete="off"
            className="pl-6"
          />
        </div>
      )}
    </Field>
  );
}

interface CountFieldProps {
  form: NewKeyFieldsProps['form'];
  name: 'rpm' | 'tpm';
  label: string;
}

/** An integer field that adds thousands separators on blur. */
function CountField({ form, name, label }: CountFieldProps) {
  const groupThousands = () => {
    const plain = form.getValues(name).replace(/[,\s_]/g, '');
    if (/^\d{1,15}$/.test(plain)) form.setValue(name, formatCount(Number(plain)));
  };
  return (
    <Field label={label} error={form.formState.errors[name]?.message}>
      {(control) => (
        <Input
          {...control}
          {...form.register(name, { onBlur: groupThousands })}
          inputMode="numeric"
          placeholder="No limit"
          autoComplete="off"
        />
      )}
    </Field>
  );
}
