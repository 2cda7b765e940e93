import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../../lib/cn.ts';
import { Button } from './button.tsx';

interface DrawerProps extends Omit<ComponentProps<typeof Primitive.Content>, 'title'> {
  title: ReactNode;
  /** Buttons before the close button. */
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A panel at the right edge that leaves the page next to it alive: another row can be chosen while it is open. It closes by
 * Esc and by its button; a phone gives it the whole window.
 */
export function Drawer({ title, actions, onClose, children, className, ...rest }: DrawerProps) {
  return (
    <Primitive.Root open modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Primitive.Portal>
        <Primitive.Content
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          className={cn(
            'fixed inset-y-0 right-0 z-40 flex w-full max-w-[520px] animate-appear flex-col overflow-y-auto border-l bg-raised shadow-pop focus:outline-none',
            className,
          )}
          {...rest}
        >
          <div className="sticky top-0 z-10 flex items-center gap-3 border-b bg-raised py-2.5 pr-3 pl-[22px]">
            <Primitive.Title className="min-w-0 flex-1 font-semibold">{title}</Primitive.Title>
            {actions}
            <Primitive.Close asChild>
              <Button variant="ghost" size="icon" aria-label="Close" aria-keyshortcuts="Escape">
                <X aria-hidden className="size-4" />
              </Button>
            </Primitive.Close>
          </div>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
