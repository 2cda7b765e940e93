import { useRef, useState, type ReactNode } from 'react';
import { AlertDialog, AlertDialogActions, AlertDialogContent } from './alert-dialog.tsx';
import { DialogBody } from './dialog.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';
import { FormError } from './form-error.tsx';
import { Input } from './input.tsx';
import { TypedField } from './typed-field.tsx';
import { describeError } from '../../lib/api-error.ts';

interface ConfirmDialogProps {
  title: string;
  description: ReactNode;
  /** Typed before anything happens: a click in the wrong row destroys nothing. */
  name: string;
  action: string;
  /** Asks for a reason too, which is kept. */
  needsReason?: boolean;
  /** Who will read the reason. */
  reasonHint?: string;
  /** False: what has to be chosen before is not. */
  isReady?: boolean;
  isPending: boolean;
  error: unknown;
  /** What has to be known before. */
  children?: ReactNode;
  /** @param reason '' if none is asked for */
  onConfirm: (reason: string) => void;
  onClose: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Asks for the name of what is about to be taken or given away. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, description, name, action, needsReason = false, isPending, error, onClose } = props;
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const { reasonHint = "Kept in the audit log, which the account's owner can read.", isReady = true } = props;
  const isConfirmed = isReady && typed.trim() === name && (!needsReason || reason.trim() !== '');
  return (
    <AlertDialog open onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}>
      <AlertDialogContent
        title={title}
        description={description}
        initialFocus={input}
        onCloseAutoFocus={props.onCloseAutoFocus}
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
            <TypedField
              phrase={name}
              ref={needsReason ? undefined : input}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
            <FormError message={error === null ? undefined : describeError(error)} />
          </DialogBody>
          <AlertDialogActions disabled={!isConfirmed} isPending={isPending}>
            {action}
          </AlertDialogActions>
        </Form>
      </AlertDialogContent>
    </AlertDialog>
  );
}
