import type { RequestFilter } from '@tollgate/core/requests/request-filter';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useState } from 'react';
import { trpc, type RequestListRow } from '../../lib/trpc.ts';
import { usePageVisible } from '../../lib/use-page-visible.ts';
import { addTold, MAX_TOLD } from './merge-rows.ts';

interface TailInput {
  accountId: string;
  filter: RequestFilter;
  isOn: boolean;
  /** The list must be read again: more has come in than was told. */
  reload: () => void;
}

/** `waiting`: the connection is being made, or made again. */
export type TailState = 'off' | 'waiting' | 'live';

const NOTHING: ReadonlyMap<string, RequestListRow> = new Map();

/** What has come in and what has ended since the list was read, by id. A page in the background is told nothing. */
export function useTail({ accountId, filter, isOn, reload }: TailInput) {
  const isVisible = usePageVisible();
  const subject = JSON.stringify([accountId, filter]);
  const [kept, setKept] = useState({ subject, told: NOTHING, starts: 0 });
  if (kept.subject !== subject) setKept({ subject, told: NOTHING, starts: 0 });
  const tail = useSubscription(
    trpc.requests.tail.subscriptionOptions(
      { accountId, filter },
      {
        enabled: isOn && isVisible,
        onStarted() {
          // The first time the list has just been read; later something may have been missed.
          if (kept.starts > 0) reload();
          setKept((before) => ({ ...before, starts: before.starts + 1 }));
        },
        onData(event) {
          if (event.kind === 'gap') reload();
          else if (kept.told.size + event.rows.length > MAX_TOLD) {
            reload();
            setKept((before) => ({ ...before, told: addTold(NOTHING, event.rows) }));
          } else setKept((before) => ({ ...before, told: addTold(before.told, event.rows) }));
        },
      },
    ),
  );
  return { told: kept.subject === subject ? kept.told : NOTHING, state: stateOf(isOn, tail.status) };
}

function stateOf(isOn: boolean, status: ReturnType<typeof useSubscription>['status']): TailState {
  if (!isOn) return 'off';
  return status === 'pending' ? 'live' : 'waiting';
}
