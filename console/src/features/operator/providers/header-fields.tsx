import { Plus, Trash2 } from 'lucide-react';
import { useFieldArray, useFormContext } from 'react-hook-form';
import { Button } from '../../../components/ui/button.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { PasswordInput } from '../../../components/ui/password-input.tsx';
import type { ProviderForm } from './provider-form.ts';

/** Headers for every upstream request. Stored values are never sent to the browser. */
export function HeaderFields() {
  const { control, formState } = useFormContext<ProviderForm>();
  const { fields, append, remove } = useFieldArray({ control, name: 'headers' });
  return (
    <fieldset>
      <legend className="text-[13px] font-medium">Headers</legend>
      <p className="mt-0.5 mb-2 text-[12.5px]/[18px] text-ink-3">
        Extra headers sent with every request, such as an organization ID. Values are stored encrypted.
      </p>
      <div className="grid gap-2.5">
        {fields.map((field, index) => (
          <HeaderRow key={field.id} index={index} isStored={field.isStored} onRemove={() => remove(index)} />
        ))}
        <FormError message={formState.errors.root?.['headers']?.message} />
        <Button
          size="sm"
          className="justify-self-start"
          onClick={() => append({ name: '', value: '', isStored: false })}
        >
          <Plus aria-hidden className="size-3.5" /> Add header
        </Button>
      </div>
    </fieldset>
  );
}

function HeaderRow(props: { index: number; isStored: boolean; onRemove: () => void }) {
  const { index, isStored, onRemove } = props;
  const { register, formState } = useFormContext<ProviderForm>();
  const errors = formState.errors.headers?.[index];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-start gap-2">
      <Field label={`Header ${index + 1} name`} error={errors?.name?.message}>
        {(control) => (
          <Input
            {...control}
            {...register(`headers.${index}.name`)}
            readOnly={isStored}
            autoCapitalize="none"
            spellCheck={false}
            placeholder="x-team"
          />
        )}
      </Field>
      <Field label="Value" error={errors?.value?.message}>
        {(control) => (
          <PasswordInput
            {...control}
            {...register(`headers.${index}.value`)}
            autoComplete="off"
            spellCheck={false}
            placeholder={isStored ? 'Unchanged' : undefined}
          />
        )}
      </Field>
      <Button
        variant="ghost"
        size="icon"
        className="mt-[25px]"
        aria-label={`Remove header ${index + 1}`}
        onClick={onRemove}
      >
        <Trash2 aria-hidden className="size-[15px]" />
      </Button>
    </div>
  );
}
