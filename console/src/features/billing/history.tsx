import { useNavigate, useSearch } from '@tanstack/react-router';
import { Receipt, ScrollText } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { Paged } from '../../components/ui/paged.tsx';
import { SegmentedTabsList } from '../../components/ui/segmented.tsx';
import { describeTimeZone } from '../../lib/format/time-zone.ts';
import { useNow } from '../../lib/use-now.ts';
import type { Billing } from '../../lib/trpc.ts';
import { EntriesTable } from './entries-table.tsx';
import { PaymentsTable } from './payments-table.tsx';
import { BILLING_TABS } from './search.ts';
import { useEntries, usePayments } from './use-billing.ts';

/** Covers daylight saving changes. */
const CLOCK_MS = 60_000;

const TABS = [
  { value: 'activity', label: 'Activity' },
  { value: 'payments', label: 'Payments' },
] as const;

/** Tabs with ledger entries and payments; the tab is in the URL. */
export function History({ accountId, billing }: { accountId: string; billing: Billing }) {
  const { tab = 'activity' } = useSearch({ from: '/app/billing' });
  const navigate = useNavigate({ from: '/billing' });
  const nowMs = useNow(CLOCK_MS);
  const choose = (next: string) => {
    const chosen = BILLING_TABS.find((known) => known === next);
    void navigate({
      search: (current) => ({ ...current, tab: chosen === 'activity' ? undefined : chosen }),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <Card className="@container">
      <Tabs.Root value={tab} onValueChange={choose}>
        <div className="flex flex-wrap items-center justify-between gap-2 border-b px-3 py-2.5">
          <SegmentedTabsList label="History" value={tab} tabs={TABS} />
          <span className="text-[12.5px] text-ink-3">Times in {describeTimeZone(new Date(nowMs))}</span>
        </div>
        <Tabs.Content value="activity">
          <Entries accountId={accountId} billing={billing} />
        </Tabs.Content>
        <Tabs.Content value="payments">
          <Payments accountId={accountId} />
        </Tabs.Content>
      </Tabs.Root>
    </Card>
  );
}

function Entries({ accountId, billing }: { accountId: string; billing: Billing }) {
  const list = useEntries(accountId);
  const entries = uniqueById(list.data?.pages.flatMap((page) => page.entries) ?? []);
  const isEmpty = entries.length === 0 && BigInt(billing.unpostedNanoUsd) === 0n;
  return (
    <Paged list={list} title="The activity could not be loaded">
      {isEmpty ? (
        <EmptyState icon={ScrollText} title="No activity yet">
          Top-ups, credit and hourly usage appear here, each with the resulting balance.
        </EmptyState>
      ) : (
        <EntriesTable
          entries={entries}
          unpostedNanoUsd={billing.unpostedNanoUsd}
          availableNanoUsd={billing.availableNanoUsd}
        />
      )}
    </Paged>
  );
}

function Payments({ accountId }: { accountId: string }) {
  const list = usePayments(accountId);
  const payments = uniqueById(list.data?.pages.flatMap((page) => page.payments) ?? []);
  return (
    <Paged list={list} title="The payments could not be loaded">
      {payments.length === 0 ? (
        <EmptyState icon={Receipt} title="No payments yet">
          Payments appear here with their status and receipt.
        </EmptyState>
      ) : (
        <PaymentsTable payments={payments} />
      )}
    </Paged>
  );
}

/** Removes duplicates of rows that moved across a page boundary between two loads. */
function uniqueById<T extends { id: string }>(rows: T[]): T[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
