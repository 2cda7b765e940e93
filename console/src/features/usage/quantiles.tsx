import { formatDurationPair } from '../../lib/format/duration.ts';

interface QuantilesProps {
  /** null values: no request has that time. */
  times: { p50Ms: number | null; p95Ms: number | null } | null;
}

/** p50 and p95 as a figure: `431 ms / 1.24 s`. */
export function Quantiles({ times }: QuantilesProps) {
  if (times === null || times.p50Ms === null || times.p95Ms === null)
    return (
      <>
        <span aria-hidden>–</span>
        <span className="sr-only">No data yet</span>
      </>
    );
  const [p50, p95] = formatDurationPair(times.p50Ms, times.p95Ms);
  return (
    <>
      <span className="whitespace-nowrap">
        {p50} <span className="font-normal text-ink-3">/</span>
      </span>{' '}
      <span className="whitespace-nowrap">{p95}</span>
    </>
  );
}
