import type { ComponentProps } from 'react';
import { cn } from '../../lib/cn.ts';

/** Text of more than a line. 16 px on touch: iOS zooms into anything smaller. */
export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      className={cn(
        'w-full min-w-0 resize-y rounded-lg border border-line-strong bg-surface px-2.5 py-[7px] text-ink transition-colors duration-100 hover:border-ink-3 focus-visible:border-accent focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-55 pointer-coarse:text-base',
        className,
      )}
      {...rest}
    />
  );
}
