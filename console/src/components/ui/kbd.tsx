import { cn } from '../../lib/cn.ts';

/** A key of the keyboard. On a filled button it takes the button's own colour. */
export function Kbd({ children, isOnFill }: { children: string; isOnFill?: boolean }) {
  return (
    <kbd
      className={cn(
        'inline-block min-w-4 rounded border px-1 text-center font-mono text-[11px] leading-4',
        isOnFill ? 'border-current opacity-85' : 'border-line bg-surface text-ink-3',
      )}
    >
      {children}
    </kbd>
  );
}
