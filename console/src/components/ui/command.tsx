import { Command as Primitive } from 'cmdk';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../../lib/cn.ts';

/**
 * A searchable list. Its label names the input. The caller filters the items; the arrow keys move between them, and Enter chooses one.
 */
export function Command(props: ComponentProps<typeof Primitive> & { label: string }) {
  // Ctrl+K belongs to the command palette.
  return <Primitive shouldFilter={false} vimBindings={false} loop {...props} />;
}

interface CommandInputProps {
  placeholder: string;
  value: string;
  onValueChange: (text: string) => void;
  className: string;
}

export function CommandInput(props: CommandInputProps) {
  return (
    <Primitive.Input
      {...props}
      // The list opens because the user wants to search it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      autoCapitalize="none"
      maxLength={100}
    />
  );
}

export function CommandList({
  label,
  className,
  children,
}: {
  label: string;
  className: string;
  children: ReactNode;
}) {
  return (
    <Primitive.List label={label} className={cn('overflow-y-auto', className)}>
      {children}
    </Primitive.List>
  );
}

export function CommandGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Primitive.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-3"
    >
      {children}
    </Primitive.Group>
  );
}

interface CommandItemProps {
  /** Identifies the item in its list. */
  value: string;
  onSelect: () => void;
  className?: string;
  children: ReactNode;
}

export function CommandItem({ className, ...rest }: CommandItemProps) {
  return (
    <Primitive.Item
      {...rest}
      className={cn(
        'flex min-w-0 items-center rounded-md px-2.5 data-[selected=true]:bg-sunken data-[selected=true]:text-ink pointer-coarse:min-h-11',
        className,
      )}
    />
  );
}
