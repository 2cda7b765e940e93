import { Tooltip } from '../../components/ui/tooltip.tsx';
import { formatLocal, formatUtc } from './format-moment.ts';

/** A time as the visitor's clock shows it, with UTC on hover: what emails and invoices of others say. */
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
