import type { ReactNode } from 'react';
import { cn } from '../../lib/cn.ts';

const TONES = {
  neutral: 'bg-sunken text-ink-2',
  ok: 'bg-accent-soft text-accent',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-danger-soft text-danger',
} as const;

interface NoteProps {
  tone: keyof typeof TONES;
  /** How it is read out when it appears: `alert` for what went wrong just now, `status` for good news. */
  announcedAs?: 'alert' | 'status';
  className?: string;
  children: ReactNode;
}

export function Note({ tone, announcedAs, className, children }: NoteProps) {
  const classes = cn('block rounded-lg px-3 py-[9px] text-[13px]', TONES[tone], className);
  if (announcedAs === 'status') return <output className={classes}>{children}</output>;
  return (
    <div role={announcedAs} className={classes}>
      {children}
    </div>
  );
}
