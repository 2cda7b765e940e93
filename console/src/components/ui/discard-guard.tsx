import { useRef, useState, type ReactNode } from 'react';
import { DiscardDialog } from './discard-dialog.tsx';

interface DiscardGuard {
  /** For the dialog. */
  onOpenChange: (isOpen: boolean) => void;
  /** For the content of the dialog. */
  onInput: () => void;
  /** The question while it is asked; goes into the content of the dialog. */
  question: ReactNode;
}

/**
 * Asks before a dialog with something typed is closed by Esc, a click outside, or a button that saves nothing.
 * @param isPending true: the dialog stays open, because it is being saved
 */
export function useDiscardGuard(onClose: () => void, isPending = false): DiscardGuard {
  // No state: a render between the events `input` and `change` of a select would take its new value back.
  const isTouched = useRef(false);
  const [isAsking, setIsAsking] = useState(false);
  return {
    onOpenChange: (isOpen) => {
      if (isOpen || isPending) return;
      if (isTouched.current) setIsAsking(true);
      else onClose();
    },
    onInput: () => {
      isTouched.current = true;
    },
    question: isAsking && (
      <DiscardDialog
        description="What you entered is not saved."
        onDiscard={onClose}
        onKeep={() => setIsAsking(false)}
      />
    ),
  };
}
