import { useMutation } from '@tanstack/react-query';
import type { PriceUsdField } from '@tollgate/core/money/price-fields';
import { useId } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { formatCount, formatLimit } from '../../../lib/format/count.ts';
import { formatPrice } from '../../../lib/format/money.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import type { OperatorModel } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { RateList } from './rate-list.tsx';

type Version = OperatorModel['prices'][number];

const STATES = {
  scheduled: { label: 'scheduled', tone: 'warn' },
  current: { label: 'current', tone: 'ok' },
  past: { label: 'past', tone: 'neutral' },
} as const;

const CACHE_PRICES = Object.values({
  cacheReadUsd: { head: 'Cached input', name: 'cacheReadUsd', from: 'xl' },
  cacheWriteUsd: { head: 'Cache write', name: 'cacheWriteUsd', from: 'xl' },
  cacheWrite1hUsd: { head: 'Cache write (1 h)', name: 'cacheWrite1hUsd', from: '3xl' },
} as const satisfies Record<Exclude<PriceUsdField, 'inputUsd' | 'outputUsd'>, object>);

/** All price versions. Versions are immutable, so old costs can be recomputed. */
export function PriceHistory({ model }: { model: OperatorModel }) {
  const headingId = useId();
  const cancel = useMutation(
    trpc.operator.models.cancelPrice.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.operator.models.pathFilter()),
    }),
  );
  return (
    <Card className="@container">
      <section aria-labelledby={headingId}>
        <div className="border-b px-3.5 py-2.5 max-md:px-2.5">
          <h2 id={headingId} className="font-semibold">
            Prices
          </h2>
          <p className="text-[12.5px] text-ink-2">USD per million tokens</p>
        </div>
        {cancel.isError && (
          <div className="p-3">
            <FormError message={describeError(cancel.error)} />
          </div>
        )}
        {model.prices.length === 0 ? (
          <p className="px-3.5 py-4 text-[13px] text-ink-2 max-md:px-2.5">
            No price set. Requests are rejected until you set one.
          </p>
        ) : (
          <DataTable
            caption="Prices, newest first"
            columns={columns((priceId) => cancel.mutate({ modelId: model.id, priceId }), cancel.isPending)}
            rows={model.prices}
            rowKey={({ id }) => String(id)}
          />
        )}
      </section>
    </Card>
  );
}

function columns(onCancel: (priceId: number) => void, isPending: boolean): Column<Version>[] {
  return [
    {
      head: 'From',
      className: 'text-[12.5px]',
      cell: ({ effectiveFrom, state, id, terms }) => (
        <>
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Moment iso={effectiveFrom} />
            <Chip tone={STATES[state].tone}>{STATES[state].label}</Chip>
            {state === 'scheduled' && (
              <Button
                size="sm"
                variant="ghost"
                className="-ml-2.5 @xl:ml-0"
                disabled={isPending}
                onClick={() => onCancel(id)}
              >
                Cancel
              </Button>
            )}
          </div>
          {terms.rates.length > 0 && (
            <details className="mt-1">
              <summary className="cursor-pointer text-ink-2">
                {formatCount(terms.rates.length)} additional {terms.rates.length === 1 ? 'rate' : 'rates'}
              </summary>
              <RateList rates={terms.rates} />
            </details>
          )}
        </>
      ),
    },
    {
      head: 'Input',
      kind: 'money',
      cell: ({ terms }) => <Price terms={terms} name="inputUsd" />,
    },
    {
      head: 'Output',
      kind: 'money',
      cell: ({ terms }) => <Price terms={terms} name="outputUsd" />,
    },
    ...CACHE_PRICES.map(({ head, name, from }): Column<Version> => ({
      head,
      from,
      kind: 'money',
      cell: ({ terms }) => <Price terms={terms} name={name} />,
      folded: ({ terms }) =>
        terms[name] !== null && (
          <div className="mt-1 flex flex-wrap gap-x-1.5">
            {head}
            <span className="font-mono whitespace-nowrap *:ml-1.5 *:inline">
              <Price terms={terms} name={name} />
            </span>
          </div>
        ),
    })),
  ];
}

interface PriceProps {
  terms: Version['terms'];
  name: Exclude<keyof Version['terms'], 'longInput' | 'rates'>;
}

/** A price, with the long-input price below it if set. */
function Price({ terms, name }: PriceProps) {
  const { longInput } = terms;
  return (
    <>
      {orFallback(terms[name])}
      {longInput !== null && (terms[name] !== null || longInput[name] !== null) && (
        <div
          className="whitespace-normal text-ink-3"
          title={`above ${formatCount(longInput.aboveInputTokens)} input tokens`}
        >
          {orFallback(longInput[name])}{' '}
          <span className="font-sans whitespace-nowrap">above {formatLimit(longInput.aboveInputTokens)}</span>
        </div>
      )}
    </>
  );
}

function orFallback(usd: string | null): string {
  return usd === null ? '–' : formatPrice(usd);
}
