import { Tooltip } from './tooltip.tsx';
import { formatExactDateTime, formatRelative } from '../../lib/format/time.ts';

interface RelativeTimeProps {
  /** null if it never happened. */
  iso: string | null;
  nowMs: number;
  never: string;
  prefix?: string;
}

/** "4 minutes ago", with the exact time on hover. The key page shows it to keyboard and touch users. */
export function RelativeTime({ iso, nowMs, never, prefix = '' }: RelativeTimeProps) {
  if (iso === null) return <span className="text-ink-3">{never}</span>;
  const date = new Date(iso);
  return (
    <Tooltip content={formatExactDateTime(date)}>
      <time dateTime={iso}>
        {prefix}
        {formatRelative(date, nowMs)}
      </time>
    </Tooltip>
  );
}
