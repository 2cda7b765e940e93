import { useNavigate, useSearch } from '@tanstack/react-router';
import { Boxes, SearchX } from 'lucide-react';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { useCatalogue } from '../../lib/catalogue.ts';
import { useCurrentAccount } from '../../lib/current-account.ts';
import { describePlanPrice } from '../../lib/format/plan-price.ts';
import { arrangeModels } from './arrange-models.ts';
import { ModelsFilters } from './models-filters.tsx';
import { ModelsTable } from './models-table.tsx';

/** Models and prices available to the account. */
export function ModelsPage() {
  const account = useCurrentAccount();
  const search = useSearch({ from: '/app/models' });
  const catalogue = useCatalogue(account.id);
  const models = catalogue.data?.models ?? [];
  const planPrice = catalogue.data === undefined ? null : describePlanPrice(catalogue.data.plan);
  return (
    <>
      <PageHeader title="Models">
        Models this account can use. Prices are in USD per million tokens. {planPrice}
      </PageHeader>
      <Card className="@container">
        <ModelsFilters search={search} models={catalogue.data?.models} />
        <ModelsTable
          list={catalogue}
          models={arrangeModels(models, search)}
          search={search}
          empty={<Nothing count={models.length} />}
        />
      </Card>
    </>
  );
}

function Nothing({ count }: { count: number }) {
  const navigate = useNavigate({ from: '/models' });
  if (count === 0) {
    return (
      <EmptyState icon={Boxes} title="No models yet">
        Models appear here after the operator adds them.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={SearchX}
      title="No models found"
      action={<Button onClick={() => void navigate({ search: {} })}>Clear the filters</Button>}
    >
      Try another ID or title. To include unavailable models, select “All”.
    </EmptyState>
  );
}
