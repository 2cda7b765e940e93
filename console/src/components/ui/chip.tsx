import type { ComponentProps } from 'react';
import { cn } from '../../lib/cn.ts';

const TONES = {
  neutral: 'bg-sunken text-ink-2',
  ok: 'bg-accent-soft text-accent',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-danger-soft text-danger',
} as const;

export function Chip({ tone, className, ...rest }: ComponentProps<'span'> & { tone?: keyof typeof TONES }) {
  return (
    <span
      className={cn(
        'inline-flex h-5 max-w-full items-center rounded-[5px] px-[7px] text-xs whitespace-nowrap',
        TONES[tone ?? 'neutral'],
        className,
      )}
      {...rest}
    />
  );
}
