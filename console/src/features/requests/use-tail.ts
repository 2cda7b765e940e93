import type { RequestFilter } from '@tollgate/core/requests/request-filter';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useState } from 'react';
import { trpc, type RequestListRow } from '../../lib/trpc.ts';
import { usePageVisible } from '../../lib/use-page-visible.ts';
import { addLive, MAX_LIVE } from './merge-rows.ts';

interface TailInput {
  accountId: string;
  filter: RequestFilter;
  isOn: boolean;
  /** Reloads the list after missed events. */
  reload: () => void;
}

/** `waiting`: connecting or reconnecting. */
export type TailState = 'off' | 'waiting' | 'live';

const NOTHING: ReadonlyMap<string, RequestListRow> = new Map();

/** Requests that started or ended since the list was loaded, by ID. Background pages do not subscribe. */
export function useTail({ accountId, filter, isOn, reload }: TailInput) {
  const isVisible = usePageVisible();
  const subject = JSON.stringify([accountId, filter]);
  const [kept, setKept] = useState({ subject, live: NOTHING, starts: 0 });
  if (kept.subject !== subject) setKept({ subject, live: NOTHING, starts: 0 });
  const tail = useSubscription(
    trpc.requests.tail.subscriptionOptions(
      { accountId, filter },
      {
        enabled: isOn && isVisible,
        onStarted() {
          // The list is fresh on the first connection. After a reconnect, events may be missing.
          if (kept.starts > 0) reload();
          setKept((before) => ({ ...before, starts: before.starts + 1 }));
        },
        onData(event) {
          if (event.kind === 'gap') reload();
          else if (kept.live.size + event.rows.length > MAX_LIVE) {
            reload();
            setKept((before) => ({ ...before, live: addLive(NOTHING, event.rows) }));
          } else setKept((before) => ({ ...before, live: addLive(before.live, event.rows) }));
        },
      },
    ),
  );
  return { live: kept.subject === subject ? kept.live : NOTHING, state: getState(isOn, tail.status) };
}

function getState(isOn: boolean, status: ReturnType<typeof useSubscription>['status']): TailState {
  if (!isOn) return 'off';
  return status === 'pending' ? 'live' : 'waiting';
}
