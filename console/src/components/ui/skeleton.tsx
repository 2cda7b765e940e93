import { cn } from '../../lib/cn.ts';

/** A place that something will take: give it the size of what will come, so that nothing jumps. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('block animate-shimmer rounded bg-sunken', className)} />;
}
