import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { BackLink } from '../../../components/layouts/back-link.tsx';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { ErrorState } from '../../../components/ui/error-state.tsx';
import { trpc } from '../../../lib/trpc.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import { TableSkeleton } from '../../../components/ui/table-skeleton.tsx';
import { EditFactsDialog } from './edit-facts-dialog.tsx';
import { EditRoutingDialog } from './edit-routing-dialog.tsx';
import { FactsCard } from './facts-card.tsx';
import { FallbacksCard } from './fallbacks-card.tsx';
import { MissingRatesCard } from './missing-rates-card.tsx';
import { PriceHistory } from './price-history.tsx';
import { RemoveModelDialog } from './remove-model-dialog.tsx';
import { RoutingCard } from './routing-card.tsx';
import { RoutesCard } from './routes-card.tsx';
import { SetPriceDialog } from './set-price-dialog.tsx';

type DialogKind = 'facts' | 'routing' | 'price' | 'remove';

/** Details, routes and price history of one model. */
export function ModelPage() {
  const { modelId } = useParams({ from: '/app/operator/models/$modelId' });
  const query = useQuery(trpc.operator.models.get.queryOptions({ modelId }, { staleTime: 0 }));
  const model = query.data;
  const [dialog, setDialog] = useState<{ kind: DialogKind; opener: Element | null } | null>(null);
  const open = (kind: DialogKind) => setDialog({ kind, opener: document.activeElement });
  const closing = {
    onClose: () => setDialog(null),
    onCloseAutoFocus: returnFocusTo(dialog?.opener ?? null),
  };
  return (
    <>
      <BackLink to={paths.operatorModels}>Models and prices</BackLink>
      <PageHeader
        title={modelId}
        action={
          model !== undefined && (
            <>
              <Button onClick={() => open('remove')}>Remove…</Button>
              <Button variant="primary" onClick={() => open('price')}>
                Set price
              </Button>
            </>
          )
        }
      >
        {(model?.title ?? '') || 'Details, routes and prices'}
      </PageHeader>
      {query.isPending && (
        <Card className="@container">
          <TableSkeleton />
        </Card>
      )}
      {query.isError && model === undefined && (
        <Card>
          <ErrorState
            title="The model could not be loaded"
            error={query.error}
            isRetrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        </Card>
      )}
      {model !== undefined && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <FactsCard model={model} onEdit={() => open('facts')} />
          <RoutingCard model={model} onEdit={() => open('routing')} />
          <RoutesCard model={model} />
          <FallbacksCard model={model} />
          <MissingRatesCard model={model} />
          <PriceHistory model={model} />
        </div>
      )}
      {model !== undefined && dialog?.kind === 'facts' && <EditFactsDialog model={model} {...closing} />}
      {model !== undefined && dialog?.kind === 'routing' && <EditRoutingDialog model={model} {...closing} />}
      {model !== undefined && dialog?.kind === 'price' && <SetPriceDialog model={model} {...closing} />}
      {model !== undefined && dialog?.kind === 'remove' && <RemoveModelDialog model={model} {...closing} />}
    </>
  );
}
