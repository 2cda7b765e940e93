import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { routeTermsSchema, type RouteTerms } from '@tollgate/core/models/route-terms';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { useDiscardGuard } from '../../../components/ui/discard-guard.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { applyServerErrors, fieldNamed } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc } from '../../../lib/trpc.ts';
import { readNumberText } from './read-number-text.ts';

const textsSchema = z.object({ contextTokens: z.string(), costMultiplier: z.string() });
type Texts = z.infer<typeof textsSchema>;
/** Validated with the server's schema. */
const formSchema = textsSchema
  .transform((texts) => ({ ...texts, contextTokens: readNumberText(texts.contextTokens) }))
  .pipe(routeTermsSchema);

interface EditRouteDialogProps {
  modelId: string;
  route: { id: string; providerName: string; contextTokens: number | null; costMultiplier: string };
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Edits the context window and the cost of a route. */
export function EditRouteDialog({ modelId, route, onClose, onCloseAutoFocus }: EditRouteDialogProps) {
  const form = useForm<Texts, unknown, RouteTerms>({
    resolver: zodResolver(formSchema),
    defaultValues: {
      contextTokens: route.contextTokens?.toString() ?? '',
      costMultiplier: route.costMultiplier,
    },
  });
  const set = useMutation(
    trpc.operator.routes.setTerms.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.models.pathFilter());
        onClose();
        toast.success('Route updated', { description: 'Applies to the next request on every replica.' });
      },
      onError: (error) => applyServerErrors(form, error, fieldNamed('contextTokens', 'costMultiplier')),
    }),
  );
  const { errors } = form.formState;
  const guard = useDiscardGuard(onClose, set.isPending);
  return (
    <Dialog open onOpenChange={guard.onOpenChange}>
      <DialogContent
        onInput={guard.onInput}
        title={`Context and cost of ${route.providerName}`}
        description={`How this provider serves ${modelId}. The price for accounts does not change.`}
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={form.handleSubmit((terms) => set.mutate({ modelId, routeId: route.id, terms }))}>
          <DialogBody>
            <Field
              label="Context window"
              hint="Tokens. Leave empty if it is that of the model."
              error={errors.contextTokens?.message}
            >
              {(control) => <Input {...control} {...form.register('contextTokens')} inputMode="numeric" />}
            </Field>
            <Field
              label="Cost multiplier"
              hint="Cost at the provider relative to the price of the model. Used by the strategy Lowest price."
              error={errors.costMultiplier?.message}
            >
              {(control) => <Input {...control} {...form.register('costMultiplier')} inputMode="decimal" />}
            </Field>
            <FormError message={errors.root?.message} />
          </DialogBody>
          <DialogActions isPending={set.isPending}>Save changes</DialogActions>
        </Form>
        {guard.question}
      </DialogContent>
    </Dialog>
  );
}
