import { AlertDialog as Primitive } from 'radix-ui';
import type { ComponentProps, ReactNode, RefObject } from 'react';
import { DialogActions } from './dialog.tsx';

export const AlertDialog = Primitive.Root;
export const AlertDialogCancel = Primitive.Cancel;

interface AlertDialogContentProps {
  title: string;
  description: ReactNode;
  children: ReactNode;
  /** Where the focus starts; without it, on the safe answer. */
  initialFocus?: RefObject<HTMLElement | null>;
  onCloseAutoFocus?: (event: Event) => void;
}

/** A question that must be answered: a click next to it does not close it. */
export function AlertDialogContent(props: AlertDialogContentProps) {
  const { title, description, children, initialFocus, onCloseAutoFocus } = props;
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-50 grid animate-appear place-items-center overflow-y-auto bg-veil px-3 py-6">
        <Primitive.Content
          onOpenAutoFocus={(event) => {
            if (initialFocus === undefined) return;
            event.preventDefault();
            initialFocus.current?.focus();
          }}
          {...(onCloseAutoFocus === undefined ? {} : { onCloseAutoFocus })}
          className="w-full max-w-[460px] animate-rise rounded-[14px] border bg-raised shadow-pop focus:outline-none"
        >
          <header className="px-[22px] pt-[18px] pb-1 max-sm:px-4">
            <Primitive.Title className="text-base font-semibold break-words">{title}</Primitive.Title>
            <Primitive.Description className="mt-1 text-[13px] text-ink-2">
              {description}
            </Primitive.Description>
          </header>
          {children}
        </Primitive.Content>
      </Primitive.Overlay>
    </Primitive.Portal>
  );
}

/** The foot of a question that is a form: its answer destroys something if no other `variant` is given. */
export function AlertDialogActions(props: Omit<ComponentProps<typeof DialogActions>, 'close'>) {
  return <DialogActions variant="danger" {...props} close={AlertDialogCancel} />;
}
