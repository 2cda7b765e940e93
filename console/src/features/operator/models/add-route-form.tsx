import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { formatPlural } from '../../../lib/format/count.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';

/** Adds a route after the existing ones. */
export function AddRouteForm({ modelId }: { modelId: string }) {
  const providers = useQuery(trpc.operator.providers.list.queryOptions());
  const [chosen, setChosen] = useState('');
  const [upstreamModel, setUpstreamModel] = useState('');
  const add = useMutation(
    trpc.operator.routes.add.mutationOptions({
      onSuccess: async () => {
        setUpstreamModel('');
        await queryClient.invalidateQueries(trpc.operator.models.pathFilter());
      },
    }),
  );
  const listId = useId();
  const names = providers.data?.providers.map(({ name }) => name) ?? [];
  const providerName = chosen === '' ? (names[0] ?? '') : chosen;
  const offered = providers.data?.providers.find(({ name }) => name === providerName)?.modelIds ?? [];
  const upstreamId = upstreamModel.trim();
  return (
    <Form
      className="grid gap-3 border-t px-3.5 py-3 max-md:px-2.5"
      onSubmit={() =>
        add.mutate({ modelId, providerName, upstreamModel: upstreamId === '' ? null : upstreamId })
      }
    >
      <FormError message={add.isError ? describeError(add.error) : undefined} />
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-40 flex-1">
          <Field label="Provider">
            {(control) => (
              <Select {...control} value={providerName} onChange={(event) => setChosen(event.target.value)}>
                {names.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <div className="min-w-40 flex-1">
          <Field
            label="Upstream model ID"
            hint={
              offered.length > 0
                ? `Suggestions: ${formatPlural(offered.length, 'model')} of the last test`
                : undefined
            }
          >
            {(control) => (
              <Input
                {...control}
                list={listId}
                value={upstreamModel}
                maxLength={200}
                placeholder={modelId}
                autoCapitalize="none"
                spellCheck={false}
                onChange={(event) => setUpstreamModel(event.target.value)}
              />
            )}
          </Field>
        </div>
        <datalist id={listId}>
          {offered.map((id) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </datalist>
        <Button type="submit" disabled={providerName === ''} isPending={add.isPending}>
          Add route
        </Button>
      </div>
    </Form>
  );
}
