import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Button } from '../../../../components/ui/button.tsx';
import { Field } from '../../../../components/ui/field.tsx';
import { Form } from '../../../../components/ui/form.tsx';
import { FormError } from '../../../../components/ui/form-error.tsx';
import { Input } from '../../../../components/ui/input.tsx';
import { Select } from '../../../../components/ui/select.tsx';
import { applyServerErrors, fieldNamed } from '../../../../lib/api-error.ts';
import { formatPlural } from '../../../../lib/format/count.ts';
import { queryClient } from '../../../../lib/query-client.ts';
import { toast } from '../../../../lib/toast.ts';
import { trpc } from '../../../../lib/trpc.ts';
import { patternFormSchema, type NewPattern, type PatternTexts } from './pattern-form.ts';

/** Routes the models of the catalogue that match a pattern. @param providerNames those with a preset; not empty */
export function AddPatternForm({ providerNames }: { providerNames: readonly string[] }) {
  const empty = { providerName: providerNames[0] ?? '', pattern: '', strip: '', priority: '0', weight: '1' };
  const form = useForm<PatternTexts, unknown, NewPattern>({
    resolver: zodResolver(patternFormSchema),
    defaultValues: empty,
  });
  const add = useMutation(
    trpc.operator.patterns.add.mutationOptions({
      onSuccess: async ({ pattern, added }) => {
        await queryClient.invalidateQueries(trpc.operator.pathFilter());
        toast.success(`${pattern.pattern} added`, { description: `${formatPlural(added, 'new model')}.` });
        form.reset(empty);
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('providerName', 'pattern', 'strip')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Form
      className="grid gap-3 border-t px-3.5 py-3 max-md:px-2.5"
      onSubmit={form.handleSubmit((values) => add.mutate(values))}
    >
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_6rem_6rem]">
        <Field
          label="Provider"
          hint="Only providers with a preset have a catalogue"
          error={errors.providerName?.message}
        >
          {(control) => (
            <Select {...control} {...form.register('providerName')}>
              {providerNames.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="Pattern"
          hint="The beginning of model IDs, and an asterisk"
          error={errors.pattern?.message}
        >
          {(control) => (
            <Input
              {...control}
              {...form.register('pattern')}
              placeholder="claude-*"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Field
          label="Prefix to remove"
          hint="Beginning that the provider does not know, such as anthropic/"
          error={errors.strip?.message}
        >
          {(control) => (
            <Input
              {...control}
              {...form.register('strip')}
              placeholder="None"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Priority" hint="Lower is first" error={errors.priority?.message}>
          {(control) => <Input {...control} {...form.register('priority')} inputMode="numeric" />}
        </Field>
        <Field label="Weight" error={errors.weight?.message}>
          {(control) => <Input {...control} {...form.register('weight')} inputMode="numeric" />}
        </Field>
      </div>
      <FormError message={errors.root?.message} />
      <div>
        <Button type="submit" isPending={add.isPending}>
          Add pattern
        </Button>
      </div>
    </Form>
  );
}
