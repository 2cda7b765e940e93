import { Popover as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '../../lib/cn.ts';

export const Popover = Primitive.Root;
export const PopoverTrigger = Primitive.Trigger;

export function PopoverContent({ className, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={5}
        collisionPadding={8}
        className={cn(
          'z-50 max-h-72 animate-rise overflow-y-auto rounded-[10px] border bg-raised p-3 shadow-pop focus:outline-none',
          className,
        )}
        {...rest}
      />
    </Primitive.Portal>
  );
}
