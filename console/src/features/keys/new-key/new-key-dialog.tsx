import { ModelSet } from '@tollgate/core/models/model-pattern';
import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { KEY_SCOPE_FIELDS } from '@tollgate/core/keys/key-scope';
import { useForm, useWatch, type Control } from 'react-hook-form';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Kbd } from '../../../components/ui/kbd.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { formatCount } from '../../../lib/format/count.ts';
import { MODIFIER_LABEL } from '../../../lib/hotkeys.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc, type KeyRow } from '../../../lib/trpc.ts';
import { returnFocusTo } from '../focus-return.ts';
import { estimateCalls, TYPICAL_CALL } from './estimate-calls.ts';
import { EMPTY_FORM, newKeySchema, type NewKeyForm, type NewKeyScope } from './new-key-form.ts';
import { NewKeyFields } from './new-key-fields.tsx';
import { useModels } from './use-models.ts';

interface NewKeyDialogProps {
  accountId: string;
  onClose: () => void;
  onCreated: (created: { key: KeyRow; secret: string }) => void;
}

export function NewKeyDialog({ accountId, onClose, onCreated }: NewKeyDialogProps) {
  const form = useForm<NewKeyForm, unknown, NewKeyScope>({
    resolver: zodResolver(newKeySchema),
    defaultValues: EMPTY_FORM,
  });
  const create = useMutation(
    trpc.keys.create.mutationOptions({
      onSuccess: (created) => {
        void queryClient.invalidateQueries(trpc.keys.pathFilter());
        onCreated(created);
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed(...KEY_SCOPE_FIELDS, 'tags')),
    }),
  );
  const submit = form.handleSubmit(({ tags, ...scope }) => create.mutate({ accountId, scope, tags }));
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !create.isPending && onClose()}>
      <DialogContent
        title="New key"
        description="Models, budget, limits and expiry can't be changed later."
        onCloseAutoFocus={returnFocusTo(null)}
        // A click outside the dialog would discard the input.
        onInteractOutside={(event) => form.formState.isDirty && event.preventDefault()}
      >
        <Form
          onSubmit={submit}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
            event.preventDefault();
            if (!create.isPending) event.currentTarget.requestSubmit();
          }}
        >
          <DialogBody>
            <NewKeyFields form={form} accountId={accountId} />
            <FormError message={form.formState.errors.root?.message} />
          </DialogBody>
          <DialogActions
            aside={<Estimate control={form.control} accountId={accountId} />}
            isPending={create.isPending}
          >
            Create key
            <span aria-hidden className="pointer-coarse:hidden">
              <Kbd isOnFill>{MODIFIER_LABEL === '⌘' ? '⌘↵' : 'Ctrl ↵'}</Kbd>
            </span>
          </DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}

/** Estimated number of requests that the budget covers. */
function Estimate(props: { control: Control<NewKeyForm, unknown, NewKeyScope>; accountId: string }) {
  const { data } = useModels(props.accountId);
  const [budget, chosen] = useWatch({ control: props.control, name: ['maxBudgetUsd', 'allowedModels'] });
  const models = data?.models ?? [];
  const set = new ModelSet(chosen);
  const allowed = chosen.length === 0 ? models : models.filter(({ id }) => set.has(id));
  const calls = estimateCalls(budget, allowed);
  return (
    <output className="mr-auto min-w-0 text-[12.5px] text-ink-2 max-sm:w-full">
      {calls !== null && calls > 0 && (
        <span
          title={`Each with ${formatCount(TYPICAL_CALL.inputTokens)} input and ${formatCount(TYPICAL_CALL.outputTokens)} output tokens`}
        >
          Enough for {formatCount(calls)} requests of{' '}
          {formatCount(TYPICAL_CALL.inputTokens + TYPICAL_CALL.outputTokens)} tokens
        </span>
      )}
    </output>
  );
}
