import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQuery } from '@tanstack/react-query';
import { personNameSchema } from '@tollgate/core/keys/credentials';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../components/ui/button.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Note } from '../../components/ui/note.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { queryClient } from '../../lib/query-client.ts';
import { refreshSession } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Section } from './section.tsx';

export function Profile() {
  const profile = useQuery(trpc.settings.profile.queryOptions());
  return (
    <Section title="Profile" description="Your display name.">
      {profile.isPending && <Skeleton className="h-[34px] max-w-sm" />}
      {profile.isError && (
        <ErrorState
          title="Your profile could not be loaded"
          error={profile.error}
          onRetry={() => void profile.refetch()}
        />
      )}
      {profile.isSuccess && <NameForm name={profile.data.name} />}
    </Section>
  );
}

const schema = z.object({ name: personNameSchema });

function NameForm({ name }: { name: string }) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { name } });
  const save = useMutation(
    trpc.settings.setName.mutationOptions({
      onSuccess: async (_, values) => {
        form.reset(values);
        await queryClient.invalidateQueries(trpc.settings.profile.pathFilter());
        await refreshSession();
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('name')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Form className="grid max-w-sm gap-4" onSubmit={form.handleSubmit((values) => save.mutate(values))}>
      <Field label="Name" hint="Defaults to your email." error={errors.name?.message}>
        {(control) => <Input {...control} {...form.register('name')} autoComplete="name" />}
      </Field>
      <FormError message={errors.root?.message} />
      {save.isSuccess && !form.formState.isDirty && (
        <Note tone="ok" announcedAs="status">
          Saved.
        </Note>
      )}
      <Button type="submit" className="justify-self-start" isPending={save.isPending}>
        Save name
      </Button>
    </Form>
  );
}
