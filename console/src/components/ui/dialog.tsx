import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../../lib/cn.ts';
import { Button, type ButtonProps } from './button.tsx';

export const Dialog = Primitive.Root;
export const DialogClose = Primitive.Close;

interface DialogContentProps extends Omit<ComponentProps<typeof Primitive.Content>, 'title'> {
  title: ReactNode;
  description?: ReactNode;
  /** False if closing needs a confirmation. */
  hasCloseButton?: boolean;
}

/** The veil scrolls, not the dialog, so that lists which open inside it are never cut off. */
export function DialogContent(props: DialogContentProps) {
  const { title, description, hasCloseButton = true, className, children, ...rest } = props;
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-40 grid animate-appear place-items-center overflow-y-auto bg-veil px-3 py-6">
        <Primitive.Content
          className={cn(
            'relative w-full max-w-[560px] animate-rise rounded-[14px] border bg-raised shadow-pop focus:outline-none',
            className,
          )}
          onEscapeKeyDown={keepWhileListIsOpen}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          {...rest}
        >
          <header className="px-[22px] pt-[18px] pb-1 max-sm:px-4">
            <Primitive.Title className={cn('text-base font-semibold', hasCloseButton && 'pr-10')}>
              {title}
            </Primitive.Title>
            {description !== undefined && (
              <Primitive.Description className="text-[12.5px] text-ink-2">
                {description}
              </Primitive.Description>
            )}
          </header>
          {children}
          {hasCloseButton && (
            <Primitive.Close asChild>
              <Button
                variant="ghost"
                size="icon"
                aria-label="Close"
                className="absolute top-3 right-3 pointer-coarse:top-1.5 pointer-coarse:right-1.5"
              >
                <X aria-hidden className="size-4" />
              </Button>
            </Primitive.Close>
          )}
        </Primitive.Content>
      </Primitive.Overlay>
    </Primitive.Portal>
  );
}

/** Esc closes one layer at a time: first the list of a combobox inside, then the dialog. */
function keepWhileListIsOpen(event: KeyboardEvent): void {
  const { target } = event;
  if (target instanceof Element && target.getAttribute('aria-expanded') === 'true') event.preventDefault();
}

export function DialogBody({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      className={cn(
        'grid grid-cols-[minmax(0,1fr)] gap-[15px] px-[22px] pt-3 pb-[18px] max-sm:px-4',
        className,
      )}
      {...rest}
    />
  );
}

export function DialogFooter({ className, ...rest }: ComponentProps<'footer'>) {
  return (
    <footer
      className={cn(
        'flex flex-wrap items-center justify-end gap-2 border-t px-[22px] py-3 max-sm:px-4',
        className,
      )}
      {...rest}
    />
  );
}

interface DialogActionsProps extends Pick<ButtonProps, 'variant' | 'disabled'> {
  /** Label of the submit button. */
  children: ReactNode;
  isPending: boolean;
  /** Precedes the buttons. */
  aside?: ReactNode;
  cancel?: string | undefined;
  /** Primitive that closes this kind of dialog. */
  close?: typeof Primitive.Close;
}

/** Buttons of a dialog that contains a form: cancel and submit. */
export function DialogActions(props: DialogActionsProps) {
  const { variant = 'primary', disabled, isPending, children, aside, cancel = 'Cancel' } = props;
  const { close: Close = Primitive.Close } = props;
  return (
    <DialogFooter>
      {aside}
      <Close asChild>
        <Button>{cancel}</Button>
      </Close>
      <Button type="submit" variant={variant} disabled={disabled} isPending={isPending}>
        {children}
      </Button>
    </DialogFooter>
  );
}
