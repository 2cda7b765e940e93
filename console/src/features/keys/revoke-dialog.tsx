import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { AlertDialog, AlertDialogActions, AlertDialogContent } from '../../components/ui/alert-dialog.tsx';
import { DialogBody } from '../../components/ui/dialog.tsx';
import { Field } from '../../components/ui/field.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Input } from '../../components/ui/input.tsx';
import { describeError } from '../../lib/api-error.ts';
import { queryClient } from '../../lib/query-client.ts';
import { trpc, type KeyRow } from '../../lib/trpc.ts';
import { returnFocusTo } from './focus-return.ts';

/** Revoking is final, so the key's name is typed first: a click in the wrong row destroys nothing. */
export function RevokeDialog(props: { accountId: string; row: KeyRow; onClose: () => void }) {
  const { accountId, row, onClose } = props;
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const isConfirmed = typed.trim() === row.name;
  const revoke = useMutation(
    trpc.keys.revoke.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.keys.pathFilter());
        onClose();
        toast.success(`${row.name} is revoked`, { description: 'Calls with it are refused from now on.' });
      },
    }),
  );
  return (
    <AlertDialog open onOpenChange={(isOpen) => !isOpen && !revoke.isPending && onClose()}>
      <AlertDialogContent
        title={`Revoke ${row.name}?`}
        description="Programs that use it are refused within a second, and streams in flight are cut. This can't be undone."
        initialFocus={input}
        onCloseAutoFocus={returnFocusTo(row.id)}
      >
        <Form
          onSubmit={(event) => {
            event.preventDefault();
            if (isConfirmed) revoke.mutate({ accountId, keyId: row.id });
          }}
        >
          <DialogBody>
            <Field label={`Type ${row.name} to confirm`}>
              {(control) => (
                <Input
                  {...control}
                  ref={input}
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                />
              )}
            </Field>
            <FormError message={revoke.isError ? describeError(revoke.error) : undefined} />
          </DialogBody>
          <AlertDialogActions disabled={!isConfirmed} isPending={revoke.isPending}>
            Revoke key
          </AlertDialogActions>
        </Form>
      </AlertDialogContent>
    </AlertDialog>
  );
}
