import { MODEL_CAPABILITIES } from '@tollgate/core/models/model-capabilities';
import type { ModelFactsField } from '@tollgate/core/models/model-facts';
import type { ComponentProps, ReactNode } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { CAPABILITY_LABELS } from '../../../lib/capability-labels.ts';
import { cn } from '../../../lib/cn.ts';
import type { FactsTexts } from './facts-form.ts';

/** The form field of each fact, in the order of the form; `isWide` ones take a whole row. */
const FACT_FIELDS: Record<ModelFactsField, { FactField: () => ReactNode; isWide?: boolean }> = {
  title: {
    FactField: () => (
      <TextField name="title" label="Title" hint="Display name (optional). Defaults to the model ID." />
    ),
  },
  retiresAt: {
    FactField: () => (
      <TextField
        name="retiresAt"
        label="Retirement date"
        hint="Requests fail from this day on (UTC). Optional."
        type="date"
      />
    ),
  },
  contextTokens: {
    FactField: () => (
      <TextField
        name="contextTokens"
        label="Context window"
        hint="Tokens. Leave empty if unknown."
        inputMode="numeric"
      />
    ),
  },
  maxOutputTokens: {
    FactField: () => (
      <TextField
        name="maxOutputTokens"
        label="Max output tokens"
        hint="Used to estimate the cost of requests without max_tokens."
        inputMode="numeric"
      />
    ),
  },
  capabilities: { FactField: Capabilities, isWide: true },
};

/** Form fields for the details of a model, except its price. */
export function FactsFields() {
  return (
    <div className="grid gap-[15px] sm:grid-cols-2">
      {Object.entries(FACT_FIELDS).map(([name, { FactField, isWide = false }]) => (
        <div key={name} className={cn('min-w-0', isWide && 'sm:col-span-2')}>
          <FactField />
        </div>
      ))}
    </div>
  );
}

interface TextFieldProps extends Pick<ComponentProps<'input'>, 'type' | 'inputMode'> {
  name: Exclude<ModelFactsField, 'capabilities'>;
  label: string;
  hint: string;
}

function TextField({ name, label, hint, ...rest }: TextFieldProps) {
  const { register, formState } = useFormContext<FactsTexts>();
  return (
    <Field label={label} hint={hint} error={formState.errors[name]?.message}>
      {(control) => <Input {...control} {...register(name)} {...rest} />}
    </Field>
  );
}

function Capabilities() {
  const { control } = useFormContext<FactsTexts>();
  return (
    <Controller
      control={control}
      name="capabilities"
      render={({ field: { value, onChange } }) => (
        <fieldset>
          <legend className="mb-2 text-[13px] font-medium">Capabilities</legend>
          <div className="grid gap-x-[15px] gap-y-2 sm:grid-cols-2">
            {MODEL_CAPABILITIES.map((capability) => (
              <Checkbox
                key={capability}
                label={CAPABILITY_LABELS[capability]}
                checked={value.includes(capability)}
                onCheckedChange={(isChosen) =>
                  onChange(
                    isChosen ? [...value, capability] : value.filter((chosen) => chosen !== capability),
                  )
                }
              />
            ))}
          </div>
        </fieldset>
      )}
    />
  );
}
