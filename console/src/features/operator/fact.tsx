import type { ReactNode } from 'react';
import { cn } from '../../lib/cn.ts';

/** A name and its value inside a `dl`. */
export function Fact({
  name,
  className,
  children,
}: {
  name: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={cn('min-w-0', className)}>
      <dt className="text-ink-2">{name}</dt>
      <dd className="mt-0.5 break-words">{children}</dd>
    </div>
  );
}
