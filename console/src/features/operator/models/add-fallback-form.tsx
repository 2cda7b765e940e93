import {
  DEFAULT_FALLBACK_CLASSES,
  FALLBACK_CLASSES,
  type FallbackClass,
} from '@tollgate/core/models/fallback-model';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorModel } from '../operator-types.ts';
import { FALLBACK_LABELS } from './fallback-labels.ts';

/** Adds a fallback model after the existing ones. */
export function AddFallbackForm({ model }: { model: OperatorModel }) {
  const models = useQuery(trpc.operator.models.list.queryOptions());
  const [chosen, setChosen] = useState('');
  const [classes, setClasses] = useState<readonly FallbackClass[]>(DEFAULT_FALLBACK_CLASSES);
  const add = useMutation(
    trpc.operator.fallbacks.put.mutationOptions({
      onSuccess: async () => {
        setChosen('');
        setClasses(DEFAULT_FALLBACK_CLASSES);
        await queryClient.invalidateQueries(trpc.operator.models.pathFilter());
      },
    }),
  );
  const isOther = (id: string) => id !== model.id && model.fallbacks.every(({ modelId }) => modelId !== id);
  const ids = (models.data?.models ?? []).map(({ id }) => id).filter(isOther);
  const fallbackId = ids.includes(chosen) ? chosen : '';
  return (
    <Form
      className="grid gap-3 border-t px-3.5 py-3 max-md:px-2.5"
      onSubmit={() => add.mutate({ modelId: model.id, fallbackId, classes: [...classes] })}
    >
      <FormError message={add.isError ? describeError(add.error) : undefined} />
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-40 flex-1">
          <Field label="Fallback model">
            {(control) => (
              <Select {...control} value={fallbackId} onChange={(event) => setChosen(event.target.value)}>
                <option value="">Choose a model</option>
                {ids.map((id) => (
                  <option key={id} value={id}>
                    {id}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <Button type="submit" disabled={fallbackId === '' || classes.length === 0} isPending={add.isPending}>
          Add fallback model
        </Button>
      </div>
      <fieldset className="grid gap-1.5 sm:grid-cols-2 lg:grid-cols-4">
        <legend className="mb-1.5 text-[12.5px] text-ink-2">Tried if</legend>
        {FALLBACK_CLASSES.map((each) => (
          <Checkbox
            key={each}
            label={FALLBACK_LABELS[each].label}
            checked={classes.includes(each)}
            onCheckedChange={(isChosen) =>
              setClasses(isChosen ? [...classes, each] : classes.filter((other) => other !== each))
            }
          />
        ))}
      </fieldset>
    </Form>
  );
}
