import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx';

interface ReplaceDialogProps {
  onReplace: () => void;
  onKeep: () => void;
}

/** Asks before a shared link replaces what is in the playground. */
export function ReplaceDialog({ onReplace, onKeep }: ReplaceDialogProps) {
  return (
    <ConfirmDialog
      title="Replace your prompt with the shared one?"
      description="The link deletes your conversations, and replaces your message, system prompt and tools."
      action="Replace prompt"
      cancel="Keep mine"
      onConfirm={onReplace}
      onClose={onKeep}
    />
  );
}
