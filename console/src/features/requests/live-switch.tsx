import { cn } from '../../lib/cn.ts';
import type { TailState } from './use-tail.ts';

interface LiveSwitchProps {
  isOn: boolean;
  state: TailState;
  /** True if the range ends in the past, so no new requests can appear. */
  isPast: boolean;
  onChange: (isOn: boolean) => void;
}

/** Turns the live log on and off, and says whether it is connected. */
export function LiveSwitch({ isOn, state, isPast, onChange }: LiveSwitchProps) {
  const isShownOn = isOn && !isPast;
  const label = isShownOn && state === 'waiting' ? 'Connecting' : 'Live';
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isShownOn}
      disabled={isPast}
      title={isPast ? 'Range ends in the past' : 'Show new requests live'}
      onClick={() => onChange(!isOn)}
      className={cn(
        'inline-flex h-[34px] shrink-0 items-center justify-center gap-2 rounded-lg border px-3 font-medium transition-colors duration-100 disabled:opacity-55 pointer-coarse:h-11',
        isShownOn
          ? 'border-accent-line bg-accent-soft text-accent'
          : 'border-line-strong bg-surface text-ink-2 hover:bg-sunken',
      )}
    >
      <span
        aria-hidden
        className={cn(
          'size-[7px] rounded-full',
          isShownOn ? 'bg-accent' : 'border border-ink-3',
          isShownOn && state === 'waiting' && 'animate-shimmer',
        )}
      />
      {label}
    </button>
  );
}
