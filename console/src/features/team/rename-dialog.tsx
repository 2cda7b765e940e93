import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { accountNameSchema } from '@tollgate/core/people/account-name';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../components/ui/dialog.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Input } from '../../components/ui/input.tsx';
import { applyServerErrors, fieldNamed } from '../../lib/api-error.ts';
import { refreshSession } from '../../lib/session.ts';
import { trpc, type Account } from '../../lib/trpc.ts';

const schema = z.object({ name: accountNameSchema });

interface RenameDialogProps {
  account: Account;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

export function RenameDialog({ account, onClose, onCloseAutoFocus }: RenameDialogProps) {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { name: account.name } });
  const rename = useMutation(
    trpc.team.rename.mutationOptions({
      onSuccess: async () => {
        await refreshSession();
        onClose();
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('name')),
    }),
  );
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !rename.isPending && onClose()}>
      <DialogContent
        title="Rename account"
        description="Members and people you invite can see the name."
        className="max-w-[480px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={form.handleSubmit((values) => rename.mutate({ accountId: account.id, ...values }))}>
          <DialogBody>
            <Field label="Name" error={errors.name?.message}>
              {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
            </Field>
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={rename.isPending}>Rename account</DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}
