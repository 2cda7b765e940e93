import { servedNamesSchema, splitServedNames } from '@tollgate/core/models/served-names';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog, DialogActions, DialogBody, DialogContent } from '../../../components/ui/dialog.tsx';
import { useDiscardGuard } from '../../../components/ui/discard-guard.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc } from '../../../lib/trpc.ts';

interface ServedNamesDialogProps {
  modelId: string;
  route: { id: string; providerName: string; servedNames: readonly string[] };
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Sets the other names that the provider of a route reports for its model. */
export function ServedNamesDialog(props: ServedNamesDialogProps) {
  const { modelId, route, onClose, onCloseAutoFocus } = props;
  const [text, setText] = useState(route.servedNames.join(', '));
  const [error, setError] = useState<string>();
  const set = useMutation(
    trpc.operator.routes.setServedNames.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.models.pathFilter());
        onClose();
        toast.success('Served names saved', { description: 'Applies to the next request on every replica.' });
      },
    }),
  );
  const submit = () => {
    const names = servedNamesSchema.safeParse(splitServedNames(text));
    setError(names.error?.issues[0]?.message);
    if (names.success) set.mutate({ modelId, routeId: route.id, servedNames: names.data });
  };
  const guard = useDiscardGuard(onClose, set.isPending);
  return (
    <Dialog open onOpenChange={guard.onOpenChange}>
      <DialogContent
        onInput={guard.onInput}
        title={`Served names of ${route.providerName}`}
        description={`Other names that this provider uses for ${modelId}. Responses with these names are billed at its price.`}
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={submit}>
          <DialogBody>
            <Field label="Served names" hint="Comma-separated, as the provider writes them." error={error}>
              {(control) => (
                <Input
                  {...control}
                  value={text}
                  autoCapitalize="none"
                  spellCheck={false}
                  className="font-mono"
                  onChange={(event) => setText(event.target.value)}
                />
              )}
            </Field>
            <FormError message={set.isError ? describeError(set.error) : undefined} />
          </DialogBody>
          <DialogActions isPending={set.isPending}>Save changes</DialogActions>
        </Form>
        {guard.question}
      </DialogContent>
    </Dialog>
  );
}
