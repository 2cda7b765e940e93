import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { MODEL_FACTS_FIELDS, type ModelFactsTerms } from '@tollgate/core/models/model-facts';
import { FormProvider, useForm } from 'react-hook-form';
import { toast } from '../../../lib/toast.ts';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { useDiscardGuard } from '../../../components/ui/discard-guard.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import type { OperatorModel } from '../operator-types.ts';
import { FactsFields } from './facts-fields.tsx';
import { factsFormSchema, getFactsTexts, type FactsTexts } from './facts-form.ts';

interface EditFactsDialogProps {
  model: OperatorModel;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Edits the details of a model, except its ID and prices. */
export function EditFactsDialog({ model, onClose, onCloseAutoFocus }: EditFactsDialogProps) {
  const form = useForm<FactsTexts, unknown, ModelFactsTerms>({
    resolver: zodResolver(factsFormSchema),
    defaultValues: getFactsTexts(model),
  });
  const set = useMutation(
    trpc.operator.models.setFacts.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.models.pathFilter());
        onClose();
        toast.success('Model details updated', {
          description: 'Applies to the next request on every replica.',
        });
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed(...MODEL_FACTS_FIELDS)),
    }),
  );
  const guard = useDiscardGuard(onClose, set.isPending);
  return (
    <Dialog open onOpenChange={guard.onOpenChange}>
      <DialogContent
        onInput={guard.onInput}
        title="Edit details"
        description={`${model.id}: shown at /v1/models and used to estimate the maximum cost of a request.`}
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <FormProvider {...form}>
          <Form onSubmit={form.handleSubmit((facts) => set.mutate({ modelId: model.id, facts }))}>
            <DialogBody>
              <FactsFields />
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
