import { Check } from 'lucide-react';
import { DropdownMenu as Primitive } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '../../lib/cn.ts';

export const DropdownMenuTrigger = Primitive.Trigger;
export const DropdownMenuRadioGroup = Primitive.RadioGroup;

/** Not modal: the page next to it stays readable to screen readers, and a click there closes the menu. */
export function DropdownMenu(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root modal={false} {...props} />;
}

const ITEM =
  'flex min-h-8 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 text-ink-2 outline-none select-none data-disabled:opacity-55 data-highlighted:bg-sunken data-highlighted:text-ink pointer-coarse:min-h-11';

export function DropdownMenuContent({ className, ...rest }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={5}
        collisionPadding={8}
        className={cn(
          'z-50 min-w-44 animate-rise rounded-[10px] border bg-raised p-1 shadow-pop focus:outline-none',
          className,
        )}
        {...rest}
      />
    </Primitive.Portal>
  );
}

export function DropdownMenuItem(props: ComponentProps<typeof Primitive.Item> & { isDanger?: boolean }) {
  const { isDanger, className, ...rest } = props;
  return (
    <Primitive.Item
      className={cn(
        ITEM,
        isDanger && 'text-danger data-highlighted:bg-danger-soft data-highlighted:text-danger',
        className,
      )}
      {...rest}
    />
  );
}

export function DropdownMenuRadioItem(props: ComponentProps<typeof Primitive.RadioItem>) {
  const { children, className, ...rest } = props;
  return (
    <Primitive.RadioItem className={cn(ITEM, 'data-[state=checked]:text-ink', className)} {...rest}>
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <Primitive.ItemIndicator>
        <Check aria-hidden className="size-4 text-accent" />
      </Primitive.ItemIndicator>
    </Primitive.RadioItem>
  );
}

/** Stays open, because several boxes are usually ticked. */
export function DropdownMenuCheckboxItem(props: ComponentProps<typeof Primitive.CheckboxItem>) {
  const { children, className, ...rest } = props;
  return (
    <Primitive.CheckboxItem
      className={cn(ITEM, 'data-[state=checked]:text-ink', className)}
      onSelect={(event) => event.preventDefault()}
      {...rest}
    >
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <Primitive.ItemIndicator>
        <Check aria-hidden className="size-4 text-accent" />
      </Primitive.ItemIndicator>
    </Primitive.CheckboxItem>
  );
}

export function DropdownMenuLabel(props: ComponentProps<typeof Primitive.Label>) {
  return <Primitive.Label className="px-2.5 pt-1.5 pb-1 text-xs text-ink-3" {...props} />;
}

export function DropdownMenuSeparator() {
  return <Primitive.Separator className="mx-1 my-1 h-px bg-line" />;
}
