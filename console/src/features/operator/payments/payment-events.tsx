import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../../lib/trpc.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import type { OperatorPaymentEvent } from '../operator-types.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { eventColumns } from './event-columns.tsx';
import { EventDialog } from './event-dialog.tsx';
import { EmptyText, PaymentPart } from './payment-tables.tsx';

/** Webhook events of the payment with their outcomes, oldest first. */
export function PaymentEvents({ paymentId }: { paymentId: string }) {
  const list = useInfiniteQuery(
    trpc.operator.payments.getEvents.infiniteQueryOptions(
      { paymentId },
      { getNextPageParam: (page) => page.nextCursor, staleTime: 0 },
    ),
  );
  const [shown, setShown] = useState<{ event: OperatorPaymentEvent; opener: Element | null } | null>(null);
  const events = list.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <PaymentPart title="Webhook events">
      <DataTable
        list={list}
        failure="The webhook events could not be loaded"
        caption="Webhook events, oldest first"
        columns={eventColumns((event) => setShown({ event, opener: document.activeElement }))}
        rows={events}
        rowKey={({ id }) => id}
        empty={<EmptyText>No webhook events yet.</EmptyText>}
      />
      {shown !== null && (
        <EventDialog
          event={shown.event}
          onClose={() => setShown(null)}
          onCloseAutoFocus={returnFocusTo(shown.opener)}
        />
      )}
    </PaymentPart>
  );
}
