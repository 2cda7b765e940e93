import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { DataTable } from '../../../components/table/data-table.tsx';
import { LINK_ROW } from '../../../components/table/row-link.ts';
import { Card } from '../../../components/ui/card.tsx';
import { lazyDialog } from '../../../components/ui/lazy-dialog.tsx';
import { useCurrentAccount } from '../../../lib/current-account.ts';
import { trpc, type RequestSession } from '../../../lib/trpc.ts';
import { useNow } from '../../../lib/use-now.ts';
import { focusRequest, useRowKeys } from '../use-row-keys.ts';
import { turnColumns, toTurns } from './turn-columns.tsx';

const RequestDrawer = lazyDialog(async () => (await import('../drawer/request-drawer.tsx')).RequestDrawer);
const CLOCK_MS = 30_000;

interface TurnsProps {
  totals: RequestSession;
  /** ID of the request in the drawer. */
  shownId: string | undefined;
  /** undefined: closes the drawer. */
  onShow: (id: string | undefined) => void;
}

/** The requests of a session, the oldest first. */
export function Turns({ totals, shownId, onShow }: TurnsProps) {
  const account = useCurrentAccount();
  const nowMs = useNow(CLOCK_MS);
  const list = useInfiniteQuery(
    trpc.requests.turns.infiniteQueryOptions(
      { accountId: account.id, session: totals.session },
      { getNextPageParam: (page) => page.nextCursor, staleTime: 0 },
    ),
  );
  const reload = useEffectEvent(() => void list.refetch());
  const state = `${totals.requests} ${totals.open} ${totals.costNanoUsd}`;
  useEffect(() => {
    // The sums are polled while requests are in progress.
    if (!list.isPending) reload();
    // oxlint-disable-next-line react/exhaustive-deps -- only a change of the sums reloads
  }, [state]);
  const rows = list.data?.pages.flatMap((page) => page.requests) ?? [];
  useRowKeys({ rows, shownId, onShow, scrollTo: (index) => scrollToRow(rows[index]?.id) });
  return (
    <>
      <Card>
        <DataTable
          caption="Requests of the session, oldest first"
          columns={turnColumns(nowMs)}
          rows={toTurns(rows)}
          rowKey={({ row }) => row.id}
          rowClassName={({ row }) =>
            `${LINK_ROW} ${row.id === shownId ? 'bg-accent-soft' : 'hover:bg-sunken'}`
          }
          list={list}
          failure="The requests could not be loaded"
        />
      </Card>
      {shownId !== undefined && (
        <RequestDrawer
          accountId={account.id}
          requestId={shownId}
          rows={rows}
          onShow={onShow}
          onClose={() => onShow(undefined)}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusRequest(shownId);
          }}
        />
      )}
    </>
  );
}

function scrollToRow(id: string | undefined): void {
  if (id === undefined) return;
  document.querySelector(`[data-request="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'nearest' });
}
