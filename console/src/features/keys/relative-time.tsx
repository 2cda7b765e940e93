import { Tooltip } from '../../components/ui/tooltip.tsx';
import { formatExactDateTime, formatRelative } from '../../lib/format/time.ts';

interface RelativeTimeProps {
  /** null: it never happened. */
  iso: string | null;
  nowMs: number;
  never: string;
  prefix?: string;
}

/** "4 minutes ago", with the exact time on hover; the details of a key give it to keyboards and touch. */
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
