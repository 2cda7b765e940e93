import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../../../app/paths.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { Segmented } from '../../../components/ui/segmented.tsx';
import { trpc } from '../../../lib/trpc.ts';
import { returnFocusTo } from '../../billing/focus-return.ts';
import { Moment } from '../../billing/moment.tsx';
import type { OperatorPaymentEvent } from '../operator-types.ts';
import { EVENT_OUTCOMES } from '../search.ts';
import { DataTable, type Column } from '../table/data-table.tsx';
import { Paged } from '../table/paged.tsx';
import { EventDialog } from './event-dialog.tsx';
import { OUTCOMES } from './outcomes.ts';

/** Every event that the provider told, with what became of it. */
export function EventsPanel() {
  const { outcome = 'all' } = useSearch({ from: '/app/operator/payments' });
  const navigate = useNavigate({ from: paths.operatorPayments });
  const list = useInfiniteQuery(
    trpc.operator.payments.events.infiniteQueryOptions(outcome === 'all' ? {} : { outcome }, {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
      staleTime: 0,
    }),
  );
  const [shown, setShown] = useState<{ event: OperatorPaymentEvent; opener: Element | null } | null>(null);
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <>
      <div className="overflow-x-auto border-b px-3 py-2.5">
        <Segmented
          label="What became of them"
          value={outcome}
          options={EVENT_OUTCOMES.map((value) => ({
            value,
            label: value === 'all' ? 'All' : OUTCOMES[value].label,
          }))}
          onValueChange={(next) =>
            void navigate({
              search: (current) => ({ ...current, outcome: next === 'all' ? undefined : next }),
              replace: true,
            })
          }
        />
      </div>
      <Paged list={list} title="The deliveries could not be loaded">
        {events.length === 0 ? (
          <EmptyState icon={Webhook} title="No deliveries">
            What the payment provider tells arrives here, with what became of it.
          </EmptyState>
        ) : (
          <DataTable
            caption="Webhook deliveries, the newest first"
            columns={columns((event) => setShown({ event, opener: document.activeElement }))}
            rows={events}
            rowKey={({ id }) => id}
            isStale={list.isPlaceholderData}
          />
        )}
      </Paged>
      {shown !== null && (
        <EventDialog
          event={shown.event}
          onClose={() => setShown(null)}
          onCloseAutoFocus={returnFocusTo(shown.opener)}
        />
      )}
    </>
  );
}

function columns(onShow: (event: OperatorPaymentEvent) => void): Column<OperatorPaymentEvent>[] {
  return [
    {
      head: 'Event',
      className: 'w-full max-w-0',
      cell: ({ type, id }) => (
        <>
          <div className="truncate font-medium" title={type}>
            {type}
          </div>
          <div className="truncate font-mono text-[12.5px] text-ink-3" title={id}>
            {id}
          </div>
        </>
      ),
    },
    {
      head: 'Outcome',
      cell: ({ outcome, reason }) => (
        <>
          <Chip tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</Chip>
          {reason !== null && <div className="mt-1 font-mono text-[12.5px] text-ink-2">{reason}</div>}
        </>
      ),
    },
    {
      head: 'Received',
      from: 'medium',
      className: 'text-[12.5px] text-ink-2',
      cell: ({ receivedAt }) => <Moment iso={receivedAt} />,
    },
    {
      head: 'Actions',
      isHeadHidden: true,
      isRight: true,
      cell: (event) => (
        <Button size="sm" aria-label={`Show ${event.id}`} onClick={() => onShow(event)}>
          Show
        </Button>
      ),
    },
  ];
}
