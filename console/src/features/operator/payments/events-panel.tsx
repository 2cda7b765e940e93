import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { trpc } from '../../../lib/trpc.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import type { OperatorPaymentEvent } from '../operator-types.ts';
import { EVENT_OUTCOMES } from '../search.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { eventColumns } from './event-columns.tsx';
import { EventDialog } from './event-dialog.tsx';
import { OUTCOMES } from './outcomes.ts';
import { PayerSearch } from './payer-search.tsx';

/** All webhook events with their outcomes. */
export function EventsPanel() {
  const { outcome, q } = useSearch({ from: '/app/operator/payments' });
  const navigate = useNavigate({ from: paths.operatorPayments });
  const list = useInfiniteQuery(
    trpc.operator.payments.events.infiniteQueryOptions(
      { ...(outcome !== undefined && { outcome }), ...(q !== undefined && { search: q }) },
      { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData, staleTime: 0 },
    ),
  );
  const [shown, setShown] = useState<{ event: OperatorPaymentEvent; opener: Element | null } | null>(null);
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  const isFiltered = outcome !== undefined || q !== undefined;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b px-3 py-2.5">
        <PayerSearch />
        <Select
          aria-label="Outcome"
          className="max-sm:w-full"
          value={outcome ?? ''}
          onChange={({ target }) =>
            void navigate({
              search: (current) => ({
                ...current,
                outcome: EVENT_OUTCOMES.find((known) => known === target.value),
              }),
              replace: true,
            })
          }
        >
          <option value="">All outcomes</option>
          {EVENT_OUTCOMES.map((value) => (
            <option key={value} value={value}>
              {OUTCOMES[value].label}
            </option>
          ))}
        </Select>
      </div>
      <DataTable
        list={list}
        failure="The events could not be loaded"
        caption="Webhook events, newest first"
        columns={eventColumns((event) => setShown({ event, opener: document.activeElement }))}
        rows={events}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={Webhook} title={isFiltered ? 'No matching events' : 'No events yet'}>
            {isFiltered
              ? 'Search by account name, payer email or full ID, or choose another outcome.'
              : 'Webhook events from the payment provider appear here.'}
          </EmptyState>
        }
      />
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
