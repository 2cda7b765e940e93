import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { toast } from '../../../lib/toast.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { SIGN_UP_CHOICES, signUpFormSchema, type SignUpForm, type SignUpPolicy } from './sign-up-form.ts';

/** Sign-up policy. */
export function SignUpCard() {
  const headingId = useId();
  const query = useQuery(trpc.operator.system.signUpPolicy.queryOptions());
  return (
    <Card>
      <section aria-labelledby={headingId} className="grid gap-3 px-3.5 py-3">
        <div>
          <h2 id={headingId} className="font-medium">
            Sign-up
          </h2>
          <p className="mt-0.5 text-[13px] text-ink-2">
            Who can create an account. Existing users and invitees are not affected.
          </p>
        </div>
        {query.isError && query.data === undefined && (
          <ErrorState
            title="The setting could not be loaded"
            error={query.error}
            isRetrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        )}
        {query.data !== undefined && <PolicyForm key={JSON.stringify(query.data)} policy={query.data} />}
      </section>
    </Card>
  );
}

function PolicyForm({ policy }: { policy: SignUpPolicy }) {
  const form = useForm<SignUpForm, unknown, SignUpPolicy>({
    resolver: zodResolver(signUpFormSchema),
    defaultValues: { signUp: policy.signUp, domains: policy.domains.join(', ') },
  });
  const signUp = useWatch({ control: form.control, name: 'signUp' });
  const save = useMutation(
    trpc.operator.system.setSignUpPolicy.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.system.signUpPolicy.pathFilter());
        toast.success('Sign-up policy saved');
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('domains')),
    }),
  );
  const { errors, isDirty } = form.formState;
  return (
    <Form
      className="grid max-w-lg gap-3"
      onSubmit={form.handleSubmit((values) => save.mutate({ policy: values }))}
    >
      <Controller
        control={form.control}
        name="signUp"
        render={({ field }) => (
          <Segmented
            label="Who can sign up"
            value={field.value}
            options={SIGN_UP_CHOICES}
            onValueChange={field.onChange}
            className="w-full *:flex-1"
          />
        )}
      />
      {signUp === 'domains' && (
        <Field
          label="Email domains"
          hint="Comma-separated. List each subdomain."
          error={getError(errors.domains)}
        >
          {(control) => (
            <Input {...control} {...form.register('domains')} placeholder="example.com, example.org" />
          )}
        </Field>
      )}
      <FormError message={errors.root?.message} />
      <div>
        <Button size="sm" type="submit" disabled={!isDirty} isPending={save.isPending}>
          Save changes
        </Button>
      </div>
    </Form>
  );
}

/** The schema may reject one domain of the list. Its message is shown at the field. */
function getError(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string') return error.message;
  return Object.values(error)
    .map(getError)
    .find((message) => message !== undefined);
}
