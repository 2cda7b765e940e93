import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { toast } from '../../../lib/toast.ts';
import { paths } from '../../../lib/paths.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import type { OperatorModel } from '../operator-types.ts';

interface RemoveModelDialogProps {
  model: OperatorModel;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

export function RemoveModelDialog({ model, onClose, onCloseAutoFocus }: RemoveModelDialogProps) {
  const navigate = useNavigate();
  const remove = useMutation(
    trpc.operator.models.remove.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: paths.operatorModels });
        queryClient.removeQueries(trpc.operator.models.get.queryFilter({ modelId: model.id }));
        await queryClient.invalidateQueries(trpc.operator.models.pathFilter());
        toast.success(`${model.id} removed`);
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Remove ${model.id}?`}
      description="Requests for it are rejected within a second. Its routes and price history are deleted. Past charges are kept."
      name={model.id}
      action="Remove model"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ modelId: model.id })}
      onClose={onClose}
      onCloseAutoFocus={onCloseAutoFocus}
    />
  );
}
