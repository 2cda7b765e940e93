import { useMutation } from '@tanstack/react-query';
import { toast } from '../../lib/toast.ts';
import { AlertDialog, AlertDialogActions, AlertDialogContent } from '../../components/ui/alert-dialog.tsx';
import { DialogBody } from '../../components/ui/dialog.tsx';
import { Form } from '../../components/ui/form.tsx';
import { FormError } from '../../components/ui/form-error.tsx';
import { Note } from '../../components/ui/note.tsx';
import { describeError } from '../../lib/api-error.ts';
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
      toast.success(required ? 'Two-factor sign-in is required' : 'Two-factor sign-in is optional');
    },
  });
  return (
    <AlertDialog open onOpenChange={(isOpen) => !isOpen && !set.isPending && onClose()}>
      <AlertDialogContent
        title={required ? 'Require two-factor sign-in?' : 'Turn off the two-factor requirement?'}
        description={required ? target.consequence(policy) : target.relief}
        onCloseAutoFocus={onCloseAutoFocus}
      >
        <Form onSubmit={() => set.mutate()}>
          <DialogBody>
            {required && (
              <Note tone="neutral">
                A passkey counts as a second factor. A lost factor can be reset by an operator.
              </Note>
            )}
            <FormError message={set.isError ? describeError(set.error) : undefined} />
          </DialogBody>
          <AlertDialogActions variant={required ? 'primary' : 'danger'} isPending={set.isPending}>
            {required ? 'Require two-factor' : 'Turn off requirement'}
          </AlertDialogActions>
        </Form>
      </AlertDialogContent>
    </AlertDialog>
  );
}
