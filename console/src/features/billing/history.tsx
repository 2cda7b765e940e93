import { useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { ExportMenu } from '../../components/layouts/export-menu.tsx';
import { Card } from '../../components/ui/card.tsx';
import { Segmented, SegmentedTabsList } from '../../components/ui/segmented.tsx';
import { describeTimeZone } from '../../lib/format/time-zone.ts';
import { exportPath } from '../../lib/paths.ts';
import { useNow } from '../../lib/use-now.ts';
import type { Billing } from '../../lib/trpc.ts';
import { DaysTable } from './days-table.tsx';
import { EntriesTable } from './entries-table.tsx';
import { PaymentsTable } from './payments-table.tsx';
import { BILLING_TABS } from './search.ts';

/** Covers daylight saving changes. */
const CLOCK_MS = 60_000;

const TABS = [
  { value: 'activity', label: 'Activity' },
  { value: 'payments', label: 'Payments' },
] as const;

/** Tabs with ledger entries and payments; the tab is in the URL. */
export function History({ accountId, billing }: { accountId: string; billing: Billing }) {
  const { tab = 'activity', entries } = useSearch({ from: '/app/billing' });
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
    <Card>
      <Tabs.Root value={tab} onValueChange={choose}>
        <div className="flex flex-wrap items-center justify-between gap-2 border-b px-3 py-2.5">
          <SegmentedTabsList label="History" value={tab} tabs={TABS} />
          {tab === 'activity' && (
            <Segmented<'days' | 'all'>
              label="Show"
              value={entries ?? 'days'}
              options={[
                { value: 'days', label: 'By day' },
                { value: 'all', label: 'Every entry' },
              ]}
              onValueChange={(next) =>
                void navigate({
                  search: (current) => ({ ...current, entries: next === 'all' ? next : undefined }),
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          )}
          <span className="ml-auto text-[12.5px] text-ink-3">
            Times in {describeTimeZone(new Date(nowMs))}
          </span>
          <ExportMenu
            isSmall
            title={tab === 'payments' ? 'Export all payments' : 'Export all activity'}
            getHref={(format) => exportPath(tab, format, { accountId })}
          />
        </div>
        <Tabs.Content value="activity">
          {entries === 'all' ? (
            <EntriesTable accountId={accountId} billing={billing} />
          ) : (
            <DaysTable accountId={accountId} billing={billing} />
          )}
        </Tabs.Content>
        <Tabs.Content value="payments">
          <PaymentsTable accountId={accountId} />
        </Tabs.Content>
      </Tabs.Root>
    </Card>
  );
}
