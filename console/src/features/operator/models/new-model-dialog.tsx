import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { MODEL_FACTS_FIELDS, modelFactsSchema } from '@tollgate/core/models/model-facts';
import { priceTermsSchema } from '@tollgate/core/money/price-terms';
import { useNavigate } from '@tanstack/react-router';
import { FormProvider, useForm, useFormContext } from 'react-hook-form';
import { paths } from '../../../lib/paths.ts';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { useDiscardGuard } from '../../../components/ui/discard-guard.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { FactsFields } from './facts-fields.tsx';
import { EMPTY_MODEL, modelFormSchema, type ModelForm, type NewModel } from './model-form.ts';
import { PriceFields } from './price-fields.tsx';

interface NewModelDialogProps {
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Adds a model that is not in the catalogue, with its price. Routes are added on its page. */
export function NewModelDialog({ onClose, onCloseAutoFocus }: NewModelDialogProps) {
  const navigate = useNavigate();
  const form = useForm<ModelForm, unknown, NewModel>({
    resolver: zodResolver(modelFormSchema),
    defaultValues: EMPTY_MODEL,
  });
  const add = useMutation(
    trpc.operator.models.add.mutationOptions({
      onSuccess: async ({ id }) => {
        await queryClient.invalidateQueries(trpc.operator.models.pathFilter());
        await navigate({ to: paths.operatorModel, params: { modelId: id } });
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('id', ...MODEL_FACTS_FIELDS)),
    }),
  );
  const submit = (model: NewModel) => {
    // Each schema takes its own fields.
    const [facts, terms] = [modelFactsSchema.parse(model), priceTermsSchema.parse(model)];
    add.mutate({ id: model.id, facts, terms });
  };
  const guard = useDiscardGuard(onClose, add.isPending);
  return (
    <Dialog open onOpenChange={guard.onOpenChange}>
      <DialogContent
        onInput={guard.onInput}
        title="New model"
        description="Adds a model that is not in the catalogue."
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <FormProvider {...form}>
          <Form onSubmit={form.handleSubmit(submit)}>
            <DialogBody>
              <IdField />
              <FactsFields />
              <PriceFields />
              <FormError message={form.formState.errors.root?.message} />
            </DialogBody>
            <DialogActions isPending={add.isPending}>Add model</DialogActions>
          </Form>
        </FormProvider>
        {guard.question}
      </DialogContent>
    </Dialog>
  );
}

function IdField() {
  const { register, formState } = useFormContext<ModelForm>();
  return (
    <Field label="ID" hint="Model ID used in requests" error={formState.errors.id?.message}>
      {(control) => <Input {...control} {...register('id')} autoCapitalize="none" spellCheck={false} />}
    </Field>
  );
}
