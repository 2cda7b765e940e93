import { useMutation } from '@tanstack/react-query';
import { toast } from '../../lib/toast.ts';
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx';
import { Note } from '../../components/ui/note.tsx';
import type { TwoFactorPolicy } from '../../lib/trpc.ts';
import type { PolicyTarget } from './policy-target.ts';

interface PolicyDialogProps {
  target: PolicyTarget;
  policy: TwoFactorPolicy;
  onSet: (required: boolean) => Promise<void>;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Says who loses access before the requirement is turned on. */
export function PolicyDialog({ target, policy, onSet, onClose, onCloseAutoFocus }: PolicyDialogProps) {
  const required = !policy.required;
  const set = useMutation({
    mutationFn: () => onSet(required),
    onSuccess: () => {
      onClose();
      toast.success(
        required ? 'Two-factor authentication is required' : 'Two-factor authentication is optional',
      );
    },
  });
  return (
    <ConfirmDialog
      title={required ? 'Require two-factor authentication?' : 'Turn off the two-factor requirement?'}
      description={required ? target.consequence(policy) : target.relief}
      action={required ? 'Require two-factor' : 'Turn off requirement'}
      tone={required ? 'primary' : 'danger'}
      isPending={set.isPending}
      error={set.error}
      onConfirm={() => set.mutate()}
      onClose={onClose}
      onCloseAutoFocus={onCloseAutoFocus}
    >
      {required && (
        <Note tone="neutral">
          A passkey counts as a second factor. A lost factor can be reset by an operator.
        </Note>
      )}
    </ConfirmDialog>
  );
}
