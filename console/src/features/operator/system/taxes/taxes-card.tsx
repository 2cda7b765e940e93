import { useMutation, useQuery } from '@tanstack/react-query';
import { getCountryName } from '@tollgate/core/money/countries';
import { formatRate } from '@tollgate/core/money/taxes';
import { useId, useState } from 'react';
import type { Column } from '../../../../components/table/column.ts';
import { DataTable } from '../../../../components/table/data-table.tsx';
import { Button } from '../../../../components/ui/button.tsx';
import { Card } from '../../../../components/ui/card.tsx';
import { ConfirmDialog } from '../../../../components/ui/confirm-dialog.tsx';
import { lazyDialog } from '../../../../components/ui/lazy-dialog.tsx';
import { queryClient } from '../../../../lib/query-client.ts';
import { returnFocusTo } from '../../../../lib/return-focus.ts';
import { TaxModeChoice } from './tax-mode-choice.tsx';
import { trpc, type TaxRate } from '../../../../lib/trpc.ts';

const TaxDialog = lazyDialog(async () => (await import('./tax-dialog.tsx')).TaxDialog);

/** Taxes that receipts show. */
export function TaxesCard() {
  const headingId = useId();
  const [opener, setOpener] = useState<Element | null>(null);
  const [removed, setRemoved] = useState<TaxRate | null>(null);
  const query = useQuery(trpc.operator.taxes.list.queryOptions());
  return (
    <Card>
      <section aria-labelledby={headingId}>
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2.5 px-3.5 py-3">
          <div className="min-w-0 flex-1 basis-64">
            <h2 id={headingId} className="font-medium">
              Tax rates
            </h2>
            <p className="mt-0.5 text-[13px] text-ink-2">Receipts show taxes by the customer’s country.</p>
          </div>
          <Button size="sm" onClick={() => setOpener(document.activeElement)}>
            Add tax rate…
          </Button>
        </div>
        {query.data !== undefined && <TaxModeChoice settings={query.data} />}
        <div className="border-t">
          <DataTable
            list={query}
            failure="The tax rates could not be loaded"
            caption="Tax rates"
            columns={getColumns(setRemoved)}
            rows={query.data?.rates ?? []}
            rowKey={({ id }) => id}
            empty={<p className="px-3.5 py-3 text-[13px] text-ink-3">None. Receipts show no tax.</p>}
          />
        </div>
      </section>
      {opener !== null && (
        <TaxDialog
          mode={query.data?.mode ?? 'included'}
          onClose={() => setOpener(null)}
          onCloseAutoFocus={returnFocusTo(opener)}
        />
      )}
      {removed !== null && <RemoveDialog rate={removed} onClose={() => setRemoved(null)} />}
    </Card>
  );
}

function getColumns(onRemove: (rate: TaxRate) => void): Column<TaxRate>[] {
  return [
    { head: 'Name', isRowHead: true, kind: 'main', cell: ({ name }) => name },
    { head: 'Rate', kind: 'number', cell: ({ ratePpm }) => formatRate(ratePpm) },
    {
      head: 'Customers',
      from: 'lg',
      className: 'whitespace-nowrap',
      cell: (rate) => describeCustomers(rate),
      folded: (rate) => describeCustomers(rate),
    },
    {
      head: 'Actions',
      isHeadHidden: true,
      kind: 'actions',
      cell: (rate) => (
        <Button
          size="sm"
          variant="ghost"
          onClick={() => onRemove(rate)}
          aria-label={`Remove ${rate.name} ${formatRate(rate.ratePpm)}`}
        >
          Remove…
        </Button>
      ),
    },
  ];
}

function describeCustomers({ country, reverseCharge }: TaxRate): string {
  const place = country === null ? 'All other countries' : getCountryName(country);
  return reverseCharge ? `${place}, without a tax ID` : place;
}

function RemoveDialog({ rate, onClose }: { rate: TaxRate; onClose: () => void }) {
  const remove = useMutation(
    trpc.operator.taxes.remove.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.operator.taxes.pathFilter());
        onClose();
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Remove ${rate.name} ${formatRate(rate.ratePpm)}?`}
      description="Later receipts do not show it. Receipts that were issued do not change."
      action="Remove tax rate"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id: rate.id })}
      onClose={onClose}
    />
  );
}
