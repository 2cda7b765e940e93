import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { viewNameSchema, type SavedFilter } from '@tollgate/core/requests/saved-view';
import { Controller, useForm } from 'react-hook-form';
import { z } from 'zod';
import { Checkbox } from '../../../components/ui/checkbox.tsx';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc, type SavedView } from '../../../lib/trpc.ts';

const schema = z.object({ name: viewNameSchema, isShared: z.boolean() });

interface ViewDialogProps {
  accountId: string;
  /** null: a new one with these filters. */
  view: SavedView | null;
  filter: SavedFilter;
  /** False: the person's role cannot share views. */
  mayShare: boolean;
  onSaved: (id: string) => void;
  onClose: () => void;
}

/** Saves the filters of the log under a name, or renames and shares a saved view. */
export function ViewDialog({ accountId, view, filter, mayShare, onSaved, onClose }: ViewDialogProps) {
  const form = useForm({
    resolver: zodResolver(schema),
    defaultValues: { name: view?.name ?? '', isShared: view?.isShared ?? false },
  });
  const outcome = {
    onSuccess: async ({ id }: { id: string }) => {
      await queryClient.invalidateQueries(trpc.views.pathFilter());
      onSaved(id);
      onClose();
      toast.success(view === null ? 'View saved' : 'View updated');
    },
    onError: (error: unknown) => applyServerErrors(form, error, fieldNamed('name')),
  };
  const create = useMutation(trpc.views.create.mutationOptions(outcome));
  const change = useMutation(trpc.views.change.mutationOptions(outcome));
  const isPending = create.isPending || change.isPending;
  const { errors } = form.formState;
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}>
      <DialogContent
        title={view === null ? 'Save view' : 'Edit view'}
        description={
          view === null
            ? 'Saves the current filters and time range under a name.'
            : 'Its filters do not change.'
        }
        className="max-w-[440px]"
      >
        <Form
          onSubmit={form.handleSubmit((values) =>
            view === null
              ? create.mutate({ accountId, filter, ...values })
              : change.mutate({ accountId, id: view.id, ...values }),
          )}
        >
          <DialogBody>
            <Field label="Name" error={errors.name?.message}>
              {(control) => (
                <Input
                  {...control}
                  {...form.register('name')}
                  autoComplete="off"
                  placeholder="Errors in production"
                />
              )}
            </Field>
            {mayShare && (
              <Controller
                control={form.control}
                name="isShared"
                render={({ field }) => (
                  <Checkbox
                    label="Share with the account"
                    hint="All members see it in their list."
                    checked={field.value}
                    onCheckedChange={field.onChange}
                  />
                )}
              />
            )}
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={isPending}>{view === null ? 'Save view' : 'Save changes'}</DialogActions>
        </Form>
      </DialogContent>
    </Dialog>
  );
}
