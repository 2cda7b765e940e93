import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '../../lib/cn.ts';
import { Spinner } from './spinner.tsx';

const BASE =
  'relative inline-flex shrink-0 select-none items-center justify-center gap-[7px] rounded-lg border font-medium whitespace-nowrap transition-colors duration-100 disabled:opacity-55 aria-disabled:opacity-55';

const VARIANTS = {
  primary:
    'border-accent bg-accent text-accent-ink shadow-card hover:border-accent-hover hover:bg-accent-hover',
  secondary: 'border-line-strong bg-surface text-ink shadow-card hover:bg-sunken',
  ghost: 'border-transparent text-ink-2 hover:bg-sunken hover:text-ink',
  danger:
    'border-danger bg-danger text-danger-ink shadow-card hover:border-danger-hover hover:bg-danger-hover',
} as const;

const SIZES = {
  md: 'h-[34px] px-3 pointer-coarse:h-11',
  sm: 'h-8 px-2.5 text-[13px] pointer-coarse:h-11',
  icon: 'size-8 pointer-coarse:size-11',
} as const;

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
  /** Shows a spinner in place of the label, at the label's width, and takes no second click. */
  isPending?: boolean;
  /** Renders the only child (a link) with the looks of a button. */
  asChild?: boolean;
}

export function Button({ variant, size, isPending, asChild, className, children, ...rest }: ButtonProps) {
  const classes = cn(BASE, VARIANTS[variant ?? 'secondary'], SIZES[size ?? 'md'], className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      className={classes}
      {...rest}
      disabled={rest.disabled === true || isPending === true}
    >
      <span className={cn('inline-flex items-center gap-[7px]', isPending && 'opacity-0')}>{children}</span>
      {isPending && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
    </button>
  );
}
