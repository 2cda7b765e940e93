import { cn } from '../../lib/cn.ts';

interface KbdProps {
  children: string;
  /** True: takes the color of the filled button that contains it. */
  isOnFill?: boolean;
  /** False: a hint, which touch screens do not show. */
  isShownOnTouch?: boolean;
}

/** A key of the keyboard. */
export function Kbd({ children, isOnFill = false, isShownOnTouch = false }: KbdProps) {
  return (
    <kbd
      className={cn(
        'inline-block min-w-4 rounded border px-1 text-center font-mono text-[11px] leading-4',
        !isShownOnTouch && 'pointer-coarse:hidden',
        isOnFill ? 'border-current opacity-85' : 'border-line bg-surface text-ink-3',
      )}
    >
      {children}
    </kbd>
  );
}
