import { MODEL_CAPABILITIES } from '@tollgate/core/models/model-capabilities';
import { Controller, useFormContext } from 'react-hook-form';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { CAPABILITY_LABELS } from '../../../lib/capability-labels.ts';
import type { FactsTexts } from './facts-form.ts';

/** Form fields for the details of a model, except its price. */
export function FactsFields() {
  const { register, formState } = useFormContext<FactsTexts>();
  const { errors } = formState;
  return (
    <>
      <div className="grid gap-[15px] sm:grid-cols-2">
        <Field
          label="Title"
          hint="Display name (optional). Defaults to the model ID."
          error={errors.title?.message}
        >
          {(control) => <Input {...control} {...register('title')} />}
        </Field>
        <Field
          label="Retirement date"
          hint="Requests fail from this day on (UTC). Optional."
          error={errors.retiresAt?.message}
        >
          {(control) => <Input {...control} {...register('retiresAt')} type="date" />}
        </Field>
        <Field
          label="Context window"
          hint="Tokens. Leave empty if unknown."
          error={errors.contextTokens?.message}
        >
          {(control) => <Input {...control} {...register('contextTokens')} inputMode="numeric" />}
        </Field>
        <Field
          label="Max output tokens"
          hint="Used to estimate the cost of requests without max_tokens."
          error={errors.maxOutputTokens?.message}
        >
          {(control) => <Input {...control} {...register('maxOutputTokens')} inputMode="numeric" />}
        </Field>
      </div>
      <Capabilities />
    </>
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
