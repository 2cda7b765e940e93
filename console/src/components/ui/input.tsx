import type { ComponentProps } from 'react';
import { cn } from '../../lib/cn.ts';

/** Classes of a text field. Its text has 16 px on touch screens, because iOS zooms into smaller ones. */
export const INPUT =
  'h-[34px] w-full min-w-0 rounded-lg border border-line-strong bg-surface px-2.5 text-ink transition-colors duration-100 hover:border-ink-3 focus-visible:border-accent focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-55 pointer-coarse:h-11 pointer-coarse:text-base';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(INPUT, className)} {...rest} />;
}
