import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Boxes } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { formatCount, formatLimit } from '../../../lib/format/count.ts';
import { formatPrice } from '../../../lib/format/money.ts';
import { trpc } from '../../../lib/trpc.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import { formatDay } from '../../../lib/format/time.ts';
import { formatLocal } from '../../../lib/format/moment.ts';
import type { OperatorModelRow } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { SearchField } from '../../../components/ui/search-field.tsx';
import { NewModelDialog } from './new-model-dialog.tsx';
import { OffersDialog } from './offers-dialog.tsx';
import { PatternsCard } from './patterns/patterns-card.tsx';

/** Models with their prices and routes. */
export function ModelsPage() {
  const { q = '' } = useSearch({ from: '/app/operator/models' });
  const navigate = useNavigate({ from: paths.operatorModels });
  const list = useQuery(trpc.operator.models.list.queryOptions());
  const [dialog, setDialog] = useState<{ kind: 'new' | 'offers'; opener: Element | null } | null>(null);
  const open = (kind: 'new' | 'offers') => setDialog({ kind, opener: document.activeElement });
  const wanted = q.toLowerCase();
  const models = (list.data?.models ?? []).filter(({ id, title }) =>
    `${id} ${title}`.toLowerCase().includes(wanted),
  );
  const closing = {
    onClose: () => setDialog(null),
    onCloseAutoFocus: returnFocusTo(dialog?.opener ?? null),
  };
  return (
    <>
      <PageHeader
        title="Models and prices"
        action={
          <>
            <Button onClick={() => open('new')}>New model</Button>
            <Button variant="primary" onClick={() => open('offers')}>
              Add from catalogue
            </Button>
          </>
        }
      >
        Models, their routes and their list prices, in USD per million tokens.
      </PageHeader>
      <Card className="@container">
        <div className="border-b px-3 py-2.5">
          <SearchField
            label="Search models"
            placeholder="ID or title"
            value={q}
            onSearch={(search) =>
              void navigate({ search: { q: search === '' ? undefined : search }, replace: true })
            }
          />
        </div>
        <DataTable
          list={list}
          failure="The models could not be loaded"
          caption="Models by ID"
          columns={COLUMNS}
          rows={models}
          rowKey={({ id }) => id}
          empty={
            <EmptyState icon={Boxes} title={wanted === '' ? 'No models yet' : 'No matching models'}>
              {wanted === ''
                ? 'Add a model from the catalogue. Its price and limits are filled in.'
                : 'Search by part of a model ID or title.'}
            </EmptyState>
          }
        />
      </Card>
      <PatternsCard />
      {dialog?.kind === 'new' && <NewModelDialog {...closing} />}
      {dialog?.kind === 'offers' && <OffersDialog {...closing} />}
    </>
  );
}

const COLUMNS: Column<OperatorModelRow>[] = [
  { head: 'Model', kind: 'main', cell: (model) => <ModelName model={model} /> },
  {
    head: 'Input',
    kind: 'money',
    cell: ({ price }) => (price === null ? '–' : formatPrice(price.inputUsd)),
  },
  {
    head: 'Output',
    kind: 'money',
    cell: ({ price }) => (price === null ? '–' : formatPrice(price.outputUsd)),
  },
  {
    head: 'Context',
    from: 'xl',
    kind: 'number',
    cell: ({ contextTokens }) => (contextTokens === null ? '–' : formatLimit(contextTokens)),
  },
  {
    head: 'Routes',
    from: 'xl',
    kind: 'number',
    cell: ({ routeCount }) => formatCount(routeCount),
  },
];

function ModelName({ model }: { model: OperatorModelRow }) {
  const { id, title, price, routeCount, nextPriceAt, retiresAt, missingRates } = model;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to={paths.operatorModel}
          params={{ modelId: id }}
          className="max-w-full truncate rounded-sm font-medium hover:underline"
          title={id}
        >
          {id}
        </Link>
        {price === null && <Chip tone="bad">no price: rejected</Chip>}
        {routeCount === 0 && <Chip tone="warn">no route</Chip>}
        {missingRates.length > 0 && <Chip tone="warn">missing rates</Chip>}
        {nextPriceAt !== null && <Chip>new price {formatLocal(new Date(nextPriceAt))}</Chip>}
        {retiresAt !== null && <Chip tone="warn">retires {formatDay(new Date(retiresAt))}</Chip>}
      </div>
      {title !== '' && <div className="truncate text-[12.5px] text-ink-2">{title}</div>}
    </>
  );
}
