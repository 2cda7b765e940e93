import type { ComponentProps } from 'react';
import { cn } from '../../lib/cn.ts';

/** 16 px on touch: iOS zooms into anything smaller. */
const INPUT_CLASSES =
  'h-[34px] w-full min-w-0 rounded-lg border border-line-strong bg-surface px-2.5 text-ink transition-colors duration-100 hover:border-ink-3 focus-visible:border-accent focus-visible:outline-offset-0 aria-invalid:border-danger disabled:opacity-55 pointer-coarse:h-11 pointer-coarse:text-base';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(INPUT_CLASSES, className)} {...rest} />;
}
