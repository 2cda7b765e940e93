import { Tooltip as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';

export const TooltipProvider = Primitive.Provider;

/** Text on hover and on focus. The only child is the trigger and must take focus to be reachable by keyboard. */
export function Tooltip({ content, children }: { content: ReactNode; children: ReactNode }) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          sideOffset={5}
          collisionPadding={8}
          className="z-50 max-w-72 animate-appear rounded-md bg-ink px-2 py-1 text-xs text-bg"
        >
          {content}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
