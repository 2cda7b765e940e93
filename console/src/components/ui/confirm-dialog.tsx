import { useRef, useState, type ReactNode } from 'react';
import { describeError } from '../../lib/api-error.ts';
import { returnFocusTo } from '../../lib/return-focus.ts';
import { AlertDialog, AlertDialogActions, AlertDialogContent } from './alert-dialog.tsx';
import { DialogBody } from './dialog.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';
import { FormError } from './form-error.tsx';
import { Input } from './input.tsx';
import { TypedField } from './typed-field.tsx';

interface ConfirmDialogProps {
  /** A question. */
  title: string;
  /** The consequence. */
  description: ReactNode;
  /** Must be typed to confirm, which prevents accidents in lists. Absent: a click confirms. */
  name?: string;
  /** Label of the button that confirms. */
  action: string;
  tone?: 'danger' | 'primary';
  cancel?: string;
  /** True: asks for a reason. */
  needsReason?: boolean;
  /** Who can read the reason. */
  reasonHint?: string;
  /** False while `children` are not filled in. */
  isReady?: boolean;
  isPending?: boolean;
  error?: unknown;
  /** More choices or notes, above the name. */
  children?: ReactNode;
  /** @param reason '' if no reason is required */
  onConfirm: (reason: string) => void;
  onClose: () => void;
  /** Default: the element that had the focus before. */
  onCloseAutoFocus?: (event: Event) => void;
}

/** Asks before every action that destroys something or is hard to undo. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { name, needsReason = false, isReady = true, isPending = false, error = null, onClose } = props;
  const { reasonHint = "Kept in the audit log, which the account's owner can read." } = props;
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  // Radix would focus nothing, because the dialog has no trigger.
  const [opener] = useState(() => document.activeElement);
  const isNamed = name === undefined || typed.trim() === name;
  const isConfirmed = isReady && isNamed && (!needsReason || reason.trim() !== '');
  return (
    <AlertDialog open onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}>
      <AlertDialogContent
        title={props.title}
        description={props.description}
        initialFocus={needsReason || name !== undefined ? input : undefined}
        onCloseAutoFocus={props.onCloseAutoFocus ?? returnFocusTo(opener)}
      >
        <Form
          onSubmit={() => {
            if (isConfirmed && !isPending) props.onConfirm(reason.trim());
          }}
        >
          <DialogBody>
            {props.children}
            {needsReason && (
              <Field label="Reason" hint={reasonHint}>
                {(control) => (
                  <Input
                    {...control}
                    ref={input}
                    value={reason}
                    maxLength={500}
                    onChange={(event) => setReason(event.target.value)}
                  />
                )}
              </Field>
            )}
            {name !== undefined && (
              <TypedField
                phrase={name}
                ref={needsReason ? undefined : input}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
            <FormError message={error === null ? undefined : describeError(error)} />
          </DialogBody>
          <AlertDialogActions
            variant={props.tone ?? 'danger'}
            cancel={props.cancel}
            disabled={!isConfirmed}
            isPending={isPending}
          >
            {props.action}
          </AlertDialogActions>
        </Form>
      </AlertDialogContent>
    </AlertDialog>
  );
}
