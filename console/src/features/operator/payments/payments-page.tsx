import { useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { paths } from '../../../lib/paths.ts';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { SegmentedTabsList } from '../../../components/ui/segmented.tsx';
import { PAYMENT_TABS } from '../search.ts';
import { EventsPanel } from './events-panel.tsx';
import { PaymentsPanel } from './payments-panel.tsx';

const TABS = [
  { value: 'payments', label: 'Payments' },
  { value: 'events', label: 'Webhook events' },
] as const;

/** Payments and webhook events of all accounts. */
export function OperatorPaymentsPage() {
  const { tab = 'payments' } = useSearch({ from: '/app/operator/payments' });
  const navigate = useNavigate({ from: paths.operatorPayments });
  const choose = (next: string) => {
    const chosen = PAYMENT_TABS.find((known) => known === next);
    void navigate({
      search: ({ q }) => ({ q, tab: chosen === 'payments' ? undefined : chosen }),
      replace: true,
    });
  };
  return (
    <>
      <PageHeader title="Payments">
        Payments from all accounts and webhook events from the payment provider.
      </PageHeader>
      <Card className="@container">
        <Tabs.Root value={tab} onValueChange={choose}>
          <div className="border-b px-3 py-2.5">
            <SegmentedTabsList label="Payments" value={tab} tabs={TABS} />
          </div>
          <Tabs.Content value="payments">
            <PaymentsPanel />
          </Tabs.Content>
          <Tabs.Content value="events">
            <EventsPanel />
          </Tabs.Content>
        </Tabs.Root>
      </Card>
    </>
  );
}
