import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { accountNameSchema } from '@tollgate/core/people/account-name';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Input } from '../../components/ui/input.tsx';
import { applyServerErrors, describeError, fieldNamed } from '../../lib/api-error.ts';
import { refreshSession } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { trpc, type Account } from '../../lib/trpc.ts';

const schema = z.object({ name: accountNameSchema });

/** Asks the owner once for the name of a new account. */
export function NameAccount({ account }: { account: Account }) {
  const { id: accountId } = account;
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { name: '' } });
  const rename = useMutation(
    trpc.team.rename.mutationOptions({
      onSuccess: async (_, { name }) => {
        await refreshSession();
        toast.success(`This account is now named ${name}`);
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('name')),
    }),
  );
  const skip = useMutation(
    trpc.team.keepName.mutationOptions({ onSuccess: async () => void (await refreshSession()) }),
  );
  const { errors } = form.formState;
  const problem = errors.root?.message ?? (skip.isError ? describeError(skip.error) : undefined);
  return (
    <Card className="mb-3.5 px-5 py-4">
      <Form
        className="grid gap-3"
        onSubmit={form.handleSubmit(({ name }) => rename.mutate({ accountId, name }))}
      >
        <div>
          <h2 className="font-semibold">Name this account</h2>
          <p className="text-[13px] text-ink-2">
            Members, emails and statements show this name instead of your email. You can change it in Team.
          </p>
        </div>
        <div className="flex flex-wrap items-start gap-2">
          <div className="min-w-0 flex-1 basis-60">
            <Field label="Account name" error={errors.name?.message}>
              {(control) => (
                <Input
                  {...control}
                  {...form.register('name')}
                  autoComplete="organization"
                  placeholder="Acme Inc."
                />
              )}
            </Field>
          </div>
          <div className="flex gap-2 self-end">
            <Button type="submit" variant="primary" isPending={rename.isPending}>
              Save name
            </Button>
            <Button isPending={skip.isPending} onClick={() => skip.mutate({ accountId })}>
              Skip
            </Button>
          </div>
        </div>
        <FormError message={problem} />
      </Form>
    </Card>
  );
}
