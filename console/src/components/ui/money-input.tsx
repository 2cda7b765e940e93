import type { ComponentProps } from 'react';
import { cn } from '../../lib/cn.ts';
import { Input } from './input.tsx';

/** A dollar amount: the sign is shown before the input and is not typed. */
export function MoneyInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type' | 'inputMode'>) {
  return (
    <div className="relative">
      <span aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3">
        $
      </span>
      <Input {...rest} inputMode="decimal" autoComplete="off" className={cn('pl-6', className)} />
    </div>
  );
}
