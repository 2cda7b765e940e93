import { ConfirmDialog } from './confirm-dialog.tsx';

interface DiscardDialogProps {
  /** The consequence, in one sentence. */
  description: string;
  onDiscard: () => void;
  onKeep: () => void;
}

/** Asks whether unsaved changes may be lost. */
export function DiscardDialog({ description, onDiscard, onKeep }: DiscardDialogProps) {
  return (
    <ConfirmDialog
      title="Discard unsaved changes?"
      description={description}
      action="Discard changes"
      cancel="Keep editing"
      onConfirm={onDiscard}
      onClose={onKeep}
    />
  );
}
