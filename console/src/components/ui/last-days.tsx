import type { ReactNode } from 'react';
import { describeLastDays } from '../../lib/format/last-days.ts';
import { Tooltip } from './tooltip.tsx';

/** The name of a period of days; hover and focus show its exact range. */
export function LastDays({ days, children }: { days: number; children: ReactNode }) {
  return (
    <Tooltip content={describeLastDays(days)}>
      <button
        type="button"
        className="cursor-default rounded-sm text-left underline decoration-line-strong decoration-dotted underline-offset-3"
      >
        {children}
      </button>
    </Tooltip>
  );
}
