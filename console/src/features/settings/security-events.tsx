import { useInfiniteQuery } from '@tanstack/react-query';
import { describeDevice } from '@tollgate/core/people/describe-device';
import { Button } from '../../components/ui/button.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { formatDateTime } from '../../lib/format/time.ts';
import { trpc, type SecurityEvent } from '../../lib/trpc.ts';
import { describeEvent } from './describe-event.ts';
import { Section } from './section.tsx';

/** Security events of the login, newest first. */
export function SecurityEvents() {
  const list = useInfiniteQuery(
    trpc.settings.securityEvents.infiniteQueryOptions(
      {},
      { getNextPageParam: (page) => page.nextCursor, staleTime: 0 },
    ),
  );
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <Section
      title="Security events"
      description="Sign-ins and security changes. We email you when a new device signs in."
    >
      {list.isPending && <Skeleton className="h-40" />}
      {list.isError && list.data === undefined && (
        <ErrorState
          title="Security events could not be loaded"
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.isSuccess && events.length === 0 && (
        <p className="text-[13px] text-ink-2">No security events yet.</p>
      )}
      {events.length > 0 && (
        <ul className="divide-y" aria-label="Security events">
          {events.map((event) => (
            <EventItem key={event.id} event={event} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button
          size="sm"
          className="mt-3"
          isPending={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Section>
  );
}

function EventItem({ event }: { event: SecurityEvent }) {
  const { at, userAgent, address, isNewDevice, isOwn } = event;
  return (
    <li className="py-2 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 break-words">{describeEvent(event)}</span>
        {isNewDevice && <Chip tone="warn">New device</Chip>}
        {!isOwn && <Chip>By an operator</Chip>}
      </div>
      <div className="text-[12.5px] break-words text-ink-3">
        <time dateTime={at}>{formatDateTime(new Date(at))}</time>
        {userAgent !== null && ` · ${describeDevice(userAgent).name}`}
        {address !== null && (
          <>
            {' · '}
            <span className="font-mono">{address}</span>
          </>
        )}
      </div>
    </li>
  );
}
