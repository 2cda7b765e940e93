import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { FormError } from '../../../components/ui/form-error.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { formatCount } from '../../../lib/format/count.ts';
import { formatPrice } from '../../../lib/format/money.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc } from '../../../lib/trpc.ts';
import { Moment } from '../../billing/moment.tsx';
import type { OperatorModel } from '../operator-types.ts';
import { DataTable, type Column } from '../table/data-table.tsx';

type Version = OperatorModel['prices'][number];

const STATES = {
  scheduled: { label: 'scheduled', tone: 'warn' },
  current: { label: 'in force', tone: 'ok' },
  past: { label: 'past', tone: 'neutral' },
} as const;

/** Every version of the price: none is ever changed, so an old request can always be computed again. */
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
            None was ever set: calls for it are refused until one is.
          </p>
        ) : (
          <DataTable
            caption="Prices, the newest first"
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
  const figure = 'font-mono text-[12.5px] whitespace-nowrap';
  return [
    {
      head: 'From',
      className: 'text-[12.5px]',
      cell: ({ effectiveFrom, state, id }) => (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Moment iso={effectiveFrom} />
          <Chip tone={STATES[state].tone}>{STATES[state].label}</Chip>
          {state === 'scheduled' && (
            <Button size="sm" variant="ghost" disabled={isPending} onClick={() => onCancel(id)}>
              Take back
            </Button>
          )}
        </div>
      ),
    },
    {
      head: 'Input',
      isRight: true,
      className: figure,
      cell: ({ terms }) => <Price terms={terms} name="inputUsd" />,
    },
    {
      head: 'Output',
      isRight: true,
      className: figure,
      cell: ({ terms }) => <Price terms={terms} name="outputUsd" />,
    },
    {
      head: 'Cache read',
      from: 'medium',
      isRight: true,
      className: figure,
      cell: ({ terms }) => <Price terms={terms} name="cacheReadUsd" />,
    },
    {
      head: 'Cache write',
      from: 'medium',
      isRight: true,
      className: figure,
      cell: ({ terms }) => <Price terms={terms} name="cacheWriteUsd" />,
    },
    {
      head: 'For an hour',
      from: 'wide',
      isRight: true,
      className: figure,
      cell: ({ terms }) => <Price terms={terms} name="cacheWrite1hUsd" />,
    },
  ];
}

interface PriceProps {
  terms: Version['terms'];
  name: Exclude<keyof Version['terms'], 'longInput'>;
}

/** With the price of long input under it, where there is one. */
function Price({ terms, name }: PriceProps) {
  const { longInput } = terms;
  return (
    <>
      {orFallback(terms[name])}
      {longInput !== null && (
        <div className="text-ink-3" title={`above ${formatCount(longInput.aboveInputTokens)} input tokens`}>
          {orFallback(longInput[name])} <span className="font-sans">long</span>
        </div>
      )}
    </>
  );
}

function orFallback(usd: string | null): string {
  return usd === null ? '–' : formatPrice(usd);
}
