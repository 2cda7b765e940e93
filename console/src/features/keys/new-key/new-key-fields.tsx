import { Controller, type UseFormReturn } from 'react-hook-form';
import { Field } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { formatCount } from '../../../lib/format/count.ts';
import { ExpiryField } from './expiry-field.tsx';
import { ModelPicker } from './model-picker.tsx';
import type { NewKeyForm, NewKeyScope } from './new-key-form.ts';

interface NewKeyFieldsProps {
  form: UseFormReturn<NewKeyForm, unknown, NewKeyScope>;
  accountId: string;
}

export function NewKeyFields({ form, accountId }: NewKeyFieldsProps) {
  const { errors } = form.formState;
  return (
    <>
      <Field label="Name" error={errors.name?.message}>
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
      <Controller
        control={form.control}
        name="allowedModels"
        render={({ field }) => (
          <ModelPicker
            accountId={accountId}
            chosen={field.value}
            onChange={(models) => {
              field.onChange(models);
              if (form.formState.isSubmitted) void form.trigger('allowedModels');
            }}
            inputRef={field.ref}
            error={errors.allowedModels?.message}
          />
        )}
      />
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label="Maximum budget" hint="Lifetime total, USD" error={errors.maxBudgetUsd?.message}>
          {(control) => (
            <div className="relative">
              <span aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3">
                $
              </span>
              <Input
                {...control}
                {...form.register('maxBudgetUsd')}
                inputMode="decimal"
                placeholder="No cap"
                autoComplete="off"
                className="pl-6"
              />
            </div>
          )}
        </Field>
        <CountField form={form} name="rpm" label="Requests / min" />
        <CountField form={form} name="tpm" label="Tokens / min" />
      </div>
      <ExpiryField form={form} />
      <Field label="Tags" hint="Comma-separated. You can change these later." error={errors.tags?.message}>
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
