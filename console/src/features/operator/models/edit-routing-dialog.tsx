import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { ROUTING_FIELDS, type RoutingPolicy } from '@tollgate/core/models/routing-policy';
import { FormProvider, useForm } from 'react-hook-form';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { useDiscardGuard } from '../../../components/ui/discard-guard.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { applyServerErrors, describeError, fieldNamed } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorModel } from '../operator-types.ts';
import { RoutingFields } from './routing-fields.tsx';
import { getRoutingTexts, routingFormSchema, type RoutingTexts } from './routing-form.ts';

interface EditRoutingDialogProps {
  model: OperatorModel;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

const refresh = () => queryClient.invalidateQueries(trpc.operator.models.pathFilter());

/** Edits how the requests of a model are routed. The message that confirms it can undo it. */
export function EditRoutingDialog({ model, onClose, onCloseAutoFocus }: EditRoutingDialogProps) {
  const { id: modelId, routing: before } = model;
  const form = useForm<RoutingTexts, unknown, RoutingPolicy>({
    resolver: zodResolver(routingFormSchema),
    defaultValues: getRoutingTexts(before),
  });
  const undo = useMutation(
    trpc.operator.models.setRouting.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast.success('Routing restored');
      },
      onError: (error) => toast.error('The routing was not restored', { description: describeError(error) }),
    }),
  );
  const set = useMutation(
    trpc.operator.models.setRouting.mutationOptions({
      onSuccess: async () => {
        await refresh();
        onClose();
        toast.success('Routing updated', {
          description: 'Applies to the next request on every replica.',
          action: { label: 'Undo', onClick: () => undo.mutate({ modelId, routing: before }) },
        });
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed(...ROUTING_FIELDS)),
    }),
  );
  const guard = useDiscardGuard(onClose, set.isPending);
  return (
    <Dialog open onOpenChange={guard.onOpenChange}>
      <DialogContent
        onInput={guard.onInput}
        title="Edit routing"
        description={`${modelId}: which route is tried first, and when another one is tried.`}
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <FormProvider {...form}>
          <Form onSubmit={form.handleSubmit((routing) => set.mutate({ modelId, routing }))}>
            <DialogBody>
              <RoutingFields />
              <FormError message={form.formState.errors.root?.message} />
            </DialogBody>
            <DialogActions isPending={set.isPending}>Save changes</DialogActions>
          </Form>
        </FormProvider>
        {guard.question}
      </DialogContent>
    </Dialog>
  );
}
