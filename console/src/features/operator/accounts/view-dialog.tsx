import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { refreshSession } from '../../../lib/session.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorAccount } from '../operator-types.ts';
import type { AccountSearch } from '../search.ts';

interface ViewDialogProps {
  account: OperatorAccount;
  /** Opens after the view has begun; if it is empty, the keys open. */
  wanted: AccountSearch;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Opens the console as a viewer of the account, read-only, for 30 minutes. */
export function ViewDialog({ account, wanted, onClose, onCloseAutoFocus }: ViewDialogProps) {
  const navigate = useNavigate();
  const [reason, setReason] = useState('');
  const view = useMutation(
    trpc.operator.viewing.begin.mutationOptions({
      onSuccess: async () => {
        await navigate(getDestination(wanted));
        await refreshSession();
      },
    }),
  );
  const isReady = reason.trim() !== '';
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !view.isPending && onClose()}>
      <DialogContent
        title={`View as ${account.name}`}
        description="You see what a viewer of the account sees and can't change anything. Access ends automatically after 30 minutes."
        className="max-w-[480px]"
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form
          onSubmit={() =>
            isReady ? view.mutate({ accountId: account.id, reason: reason.trim() }) : undefined
          }
        >
          <DialogBody>
            <Field label="Reason" hint="Stored in the account's audit log, which its owner can read.">
              {(control) => (
                <Input
                  {...control}
                  value={reason}
                  maxLength={500}
                  onChange={(event) => setReason(event.target.value)}
                />
              )}
            </Field>
            <FormError message={view.isError ? describeError(view.error) : undefined} />
          </DialogBody>
          <DialogActions disabled={!isReady} isPending={view.isPending}>
            View as account
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

function getDestination({ request, key }: AccountSearch) {
  if (request !== undefined) return { to: paths.requests, search: { request } };
  if (key !== undefined) return { to: paths.key, params: { keyId: key } };
  return { to: paths.keys };
}
