import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from '../../lib/cn.ts';

/** The browser's own list, in the looks of an input: phones show it as they show every list. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={cn('relative block', className)}>
      <select
        className="h-[34px] w-full min-w-0 appearance-none rounded-lg border border-line-strong bg-surface pr-8 pl-2.5 text-ink transition-colors duration-100 hover:border-ink-3 focus-visible:border-accent focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-55 pointer-coarse:h-11 pointer-coarse:text-base"
        {...rest}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-ink-3"
      />
    </span>
  );
}
