import { Tooltip } from './tooltip.tsx';
import { formatLocal, formatUtc } from '../../lib/format/moment.ts';

/** Local time, with UTC on hover. */
export function Moment({ iso }: { iso: string }) {
  const date = new Date(iso);
  return (
    <Tooltip content={formatUtc(date)}>
      <time dateTime={iso} className="whitespace-nowrap">
        {formatLocal(date)}
      </time>
    </Tooltip>
  );
}
