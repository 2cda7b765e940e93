import { Chip } from '../../../components/ui/chip.tsx';
import { formatPlural } from '../../../lib/format/count.ts';
import { RelativeTime } from '../../../components/ui/relative-time.tsx';
import type { OperatorProvider } from '../operator-types.ts';

/** Failure rate from which a provider counts as unhealthy. */
const BAD_SHARE = 0.2;
const BAD_AFTER = 5;

/** Results of the newest attempts of the last hour; a request that is retried has several. */
export function ProviderHealth({ health, nowMs }: { health: OperatorProvider['health']; nowMs: number }) {
  if (health === null) return <span className="text-[12.5px] text-ink-3">no attempts</span>;
  const { calls, failures, lastFailureAt, lastMessage } = health;
  const isBad = failures >= BAD_AFTER && failures / calls >= BAD_SHARE;
  return (
    <div className="grid justify-items-start gap-0.5">
      <Chip tone={failures === 0 ? 'ok' : isBad ? 'bad' : 'warn'}>
        {failures === 0 ? 'all succeeded' : `${failures} of ${formatPlural(calls, 'attempt')} failed`}
      </Chip>
      <span className="text-[12.5px] text-ink-3">
        {failures === 0 ? (
          formatPlural(calls, 'attempt')
        ) : (
          <RelativeTime iso={lastFailureAt} nowMs={nowMs} never="" prefix="last failure " />
        )}
      </span>
      {lastMessage !== null && (
        <span className="max-w-full text-[12.5px] wrap-anywhere whitespace-normal text-ink-2 @xl:w-64 @3xl:w-80">
          <RelativeTime iso={lastMessage.at} nowMs={nowMs} never="" prefix="Last error message, " />:{' '}
          {lastMessage.text}
        </span>
      )}
    </div>
  );
}
