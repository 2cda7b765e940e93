import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowUp, MessagesSquare, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { paths, requestExportPath } from '../../lib/paths.ts';
import { ExportMenu } from '../../components/layouts/export-menu.tsx';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { lazyDialog } from '../../components/ui/lazy-dialog.tsx';
import { Paged } from '../../components/ui/paged.tsx';
import { useRetention } from '../../lib/retention.ts';
import { useCurrentAccount } from '../../lib/current-account.ts';
import { formatCount, formatPlural } from '../../lib/format/count.ts';
import type { Retention } from '../../lib/trpc.ts';
import type { ChosenColumns } from './columns/log-columns.ts';
import { useColumns } from './columns/use-columns.ts';
import { ShownRange } from './filters/shown-range.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { LiveSwitch } from './live-switch.tsx';
import { LogEnd } from './log-end.tsx';
import { LogMenus } from './log-menus.tsx';
import { RequestsEmpty } from './requests-empty.tsx';
import { RequestsSkeleton, RequestsTable } from './requests-table.tsx';
import { toFilter, type RequestsSearch } from './search.ts';
import { useLog } from './use-log.ts';
import { focusRequest } from './use-row-keys.ts';

const RequestDrawer = lazyDialog(async () => (await import('./drawer/request-drawer.tsx')).RequestDrawer);

export function RequestsPage() {
  const account = useCurrentAccount();
  const setting = useRetention('bodies', account.id);
  const search = useSearch({ from: '/app/requests' });
  const navigate = useNavigate({ from: '/requests' });
  const filterText = JSON.stringify(toFilter(search));
  // A stable filter object, so effects do not rerun when the drawer opens.
  const filter = useMemo(() => toFilter(JSON.parse(filterText) as RequestsSearch), [filterText]);
  const columns = useColumns();
  const isPast = search.to !== undefined;
  const isLive = search.live !== 'off' && !isPast;
  const log = useLog({ accountId: account.id, filter, isLive, isReading: search.request !== undefined });
  const change = (part: Partial<RequestsSearch>) =>
    void navigate({ search: (current) => ({ ...current, ...part }), replace: true, resetScroll: false });
  return (
    <>
      <PageHeader
        title="Requests"
        action={
          <>
            <LiveSwitch
              isOn={search.live !== 'off'}
              isPast={isPast}
              state={log.tailState}
              onChange={(isOn) => change({ live: isOn ? undefined : 'off' })}
            />
            <LogMenus search={search} columns={columns} />
            <Button asChild>
              <Link to={paths.requestSessions} search={pickSessions(search)}>
                <MessagesSquare aria-hidden className="size-4" />
                Sessions
              </Link>
            </Button>
            <Button asChild>
              <Link to={paths.requestErrors} search={pickErrors(search)}>
                <TriangleAlert aria-hidden className="size-4" />
                Errors
              </Link>
            </Button>
            <ExportMenu getHref={(format) => requestExportPath(format, account.id, filter)} />
          </>
        }
      >
        Requests of this account in <ShownRange {...search} />, newest first.{' '}
        {setting.data !== undefined && describeKeeping(setting.data)}
      </PageHeader>
      <Card className="@container">
        <FilterBar accountId={account.id} search={search} />
        <Log log={log} columns={columns.chosen} search={search} onShow={(request) => change({ request })} />
      </Card>
      <NewRows count={log.newCount} isDrawerOpen={search.request !== undefined} />
      {search.request !== undefined && (
        <RequestDrawer
          accountId={account.id}
          requestId={search.request}
          rows={log.rows}
          onShow={(request) => change({ request })}
          onClose={() => change({ request: undefined })}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (search.request !== undefined) focusRequest(search.request);
          }}
        />
      )}
    </>
  );
}

/** The filters that the errors page has too. */
function pickErrors({ key, model, range, from, to }: RequestsSearch) {
  return { key, model, range, from, to };
}

/** The filters that the page of sessions has too. */
function pickSessions({ key, range, from, to }: RequestsSearch) {
  return { key, range, from, to };
}

function describeKeeping(setting: Retention): string {
  if (setting === null) return 'Prompts and responses are not stored.';
  return `Prompts and responses are kept for ${formatPlural(setting.retentionDays, 'day')}.`;
}

interface LogProps {
  columns: ChosenColumns;
  log: ReturnType<typeof useLog>;
  search: RequestsSearch;
  onShow: (requestId: string) => void;
}

function Log({ log, columns, search, onShow }: LogProps) {
  const { list, rows } = log;
  const isEmpty = rows.length === 0 && !list.hasNextPage;
  const end = (
    <LogEnd
      search={search}
      hasMore={list.hasNextPage}
      isLoading={list.isFetchingNextPage}
      error={list.isFetchNextPageError ? list.error : null}
      searchedTo={log.searchedTo}
      onMore={log.loadMore}
    />
  );
  return (
    <Paged
      list={list}
      title="The requests could not be loaded"
      skeleton={<RequestsSkeleton />}
      end={!isEmpty && end}
    >
      {isEmpty ? (
        <RequestsEmpty search={search} />
      ) : (
        <RequestsTable
          columns={columns}
          rows={rows}
          shownId={search.request}
          isStale={list.isPlaceholderData}
          onShow={onShow}
          onNearEnd={log.onNearEnd}
        />
      )}
    </Paged>
  );
}

/** New requests stay hidden above while the user reads, so rows do not move. */
function NewRows({ count, isDrawerOpen }: { count: number; isDrawerOpen: boolean }) {
  const isShown = count > 0 && !isDrawerOpen;
  return (
    <div className="pointer-events-none fixed inset-x-0 top-16 z-30 grid justify-items-center md:top-4 md:left-[232px]">
      <output className="sr-only">{isShown ? `${formatCount(count)} new requests` : ''}</output>
      {isShown && (
        <button
          type="button"
          onClick={() => window.scrollTo({ top: 0 })}
          className="pointer-events-auto inline-flex h-8 animate-rise items-center gap-1.5 rounded-full border border-accent bg-accent px-3.5 text-[13px] font-medium text-accent-ink shadow-pop hover:bg-accent-hover pointer-coarse:h-11"
        >
          <ArrowUp aria-hidden className="size-3.5" />
          {formatCount(count)} new
        </button>
      )}
    </div>
  );
}
