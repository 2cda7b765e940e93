import { AlertDialog as Primitive } from 'radix-ui';
import type { ComponentProps, ReactNode, RefObject } from 'react';
import { DialogActions } from './dialog.tsx';

export const AlertDialog = Primitive.Root;

interface AlertDialogContentProps {
  title: string;
  description: ReactNode;
  children: ReactNode;
  /** Element with the first focus; without it, the button that cancels. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  onCloseAutoFocus?: ((event: Event) => void) | undefined;
}

/** A dialog that must be answered: a click outside does not close it. */
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

/** Buttons of an alert dialog that contains a form. */
export function AlertDialogActions(props: Omit<ComponentProps<typeof DialogActions>, 'close'>) {
  return <DialogActions {...props} close={Primitive.Cancel} />;
}
