import { cn } from '../../../lib/cn.ts';
import { formatCount } from '../../../lib/format/count.ts';
import type { KeyWindows } from '../../../lib/trpc.ts';

type Gauge = KeyWindows['key']['requests'];

const NEAR_PERCENT = 80;

interface LimitGaugeProps {
  name: string;
  gauge: Gauge;
  /** True if usage without a limit was not counted completely. */
  isCutShort?: boolean;
  /** Age of the data; null if it is not polled. */
  ageMs: number | null;
}

/** A limit with its usage bar: amber from 80%, red when the next request is rejected. Shows when the limit is available again. */
export function LimitGauge({ name, gauge, isCutShort = false, ageMs }: LimitGaugeProps) {
  const { limit, used } = gauge;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
      <dt className="text-ink-2">{name}</dt>
      {limit === null ? (
        <dd className="text-ink-3">
          {used === null ? (
            'No limit'
          ) : (
            <>
              <span className="text-ink">{`${formatCount(used)}${isCutShort ? ' or more' : ''}`}</span>, no
              limit
            </>
          )}
        </dd>
      ) : (
        <LimitUse limit={limit} used={used} freeInMs={gauge.freeInMs} ageMs={ageMs} />
      )}
    </div>
  );
}

/** `used` is null until a replica responds. */
function LimitUse(props: Omit<Gauge, 'limit'> & { limit: number; ageMs: number | null }) {
  const { limit, used, freeInMs, ageMs } = props;
  if (ageMs === null) return <dd>{formatCount(limit)}</dd>;
  const percent = Math.min(100, ((used ?? 0) / limit) * 100);
  const isFull = percent >= 100;
  const colour = isFull ? 'bg-danger' : percent >= NEAR_PERCENT ? 'bg-warn-bar' : 'bg-accent';
  const freeInSeconds = freeInMs === null ? 0 : Math.ceil((freeInMs - ageMs) / 1000);
  return (
    <>
      <dd>
        <span className={cn(isFull && 'font-medium text-danger')}>
          {used === null ? '–' : formatCount(used)}
        </span>{' '}
        <span className="text-ink-3">of {formatCount(limit)}</span>
      </dd>
      <dd className="col-span-2">
        <div aria-hidden className="mt-[5px] h-[5px] overflow-hidden rounded-[3px] bg-sunken">
          <div
            className={cn('h-full transition-[width] duration-150 motion-reduce:transition-none', colour)}
            style={{ width: `${percent}%` }}
          />
        </div>
        <div className="mt-1 min-h-[18px] text-[12.5px]/[18px] text-ink-3">
          {used !== null &&
            (used === 0 || freeInSeconds <= 0
              ? 'Full limit available'
              : `${isFull ? 'Limit reached. ' : ''}Fully available in ${freeInSeconds} s`)}
        </div>
      </dd>
    </>
  );
}
