import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

export const Sheet = Primitive.Root;
export const SheetTrigger = Primitive.Trigger;

/** A panel from the left edge: the rail on phones. */
export function SheetContent({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-40 animate-appear bg-veil" />
      <Primitive.Content
        aria-describedby={undefined}
        className="fixed inset-y-0 left-0 z-40 flex w-[280px] max-w-[85vw] animate-slide flex-col overflow-y-auto border-r bg-bg px-3 py-3.5 shadow-pop focus:outline-none"
      >
        <Primitive.Title className="sr-only">{title}</Primitive.Title>
        {children}
        <Primitive.Close asChild>
          <Button
            variant="ghost"
            size="icon"
            aria-label="Close menu"
            className="absolute top-2.5 right-3 pointer-coarse:top-1"
          >
            <X aria-hidden className="size-4" />
          </Button>
        </Primitive.Close>
      </Primitive.Content>
    </Primitive.Portal>
  );
}
