import { useQuery } from '@tanstack/react-query';
import { getCountryName } from '@tollgate/core/money/countries';
import { useId, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { lazyDialog } from '../../../components/ui/lazy-dialog.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import { trpc, type BillingDetails } from '../../../lib/trpc.ts';

const DetailsDialog = lazyDialog(async () => (await import('./details-dialog.tsx')).DetailsDialog);

/** Company, address and tax ID on receipts and statements. */
export function DetailsCard({ accountId, canEdit }: { accountId: string; canEdit: boolean }) {
  const headingId = useId();
  const [opener, setOpener] = useState<Element | null>(null);
  const query = useQuery(trpc.billingDetails.get.queryOptions({ accountId }));
  const details = query.data;
  return (
    <Card>
      <section
        aria-labelledby={headingId}
        className="flex flex-wrap items-start gap-x-4 gap-y-2.5 px-5 py-3.5 max-sm:px-4"
      >
        <div className="min-w-0 flex-1 basis-64">
          <h2 id={headingId} className="font-medium">
            Billing details
          </h2>
          {query.isPending && <Skeleton className="mt-1.5 h-3.5 w-64" />}
          {query.isError && details === undefined && (
            <ErrorState
              title="The billing details could not be loaded"
              error={query.error}
              isRetrying={query.isFetching}
              onRetry={() => void query.refetch()}
            />
          )}
          {details !== undefined && <Details details={details} />}
        </div>
        {canEdit && details !== undefined && (
          <Button onClick={() => setOpener(document.activeElement)}>
            {listLines(details).length === 0 ? 'Add details…' : 'Change…'}
          </Button>
        )}
      </section>
      {opener !== null && details !== undefined && (
        <DetailsDialog
          accountId={accountId}
          details={details}
          onClose={() => setOpener(null)}
          onCloseAutoFocus={returnFocusTo(opener)}
        />
      )}
    </Card>
  );
}

function Details({ details }: { details: BillingDetails }) {
  const lines = listLines(details);
  if (lines.length === 0)
    return (
      <p className="mt-0.5 text-[13px] text-ink-2">
        Company name, address and tax ID for receipts and statements.
      </p>
    );
  return (
    <address className="mt-0.5 text-[13px] break-words text-ink-2 not-italic">
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two lines may be equal
        <div key={index}>{line}</div>
      ))}
    </address>
  );
}

function listLines({ companyName, address, country, taxId }: BillingDetails): string[] {
  const countryName = country === null ? '' : getCountryName(country);
  const lines = [companyName, ...address.split('\n'), countryName, taxId === '' ? '' : `Tax ID ${taxId}`];
  return lines.filter((line) => line !== '');
}
