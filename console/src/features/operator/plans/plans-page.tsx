import { useQuery } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { PageHeader } from '../../../components/layouts/page-header.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { formatCount, formatLimit, formatPlural } from '../../../lib/format/count.ts';
import { formatPrice } from '../../../lib/format/money.ts';
import { trpc } from '../../../lib/trpc.ts';
import { returnFocusTo } from '../../../lib/return-focus.ts';
import type { OperatorPlan } from '../operator-types.ts';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/data-table.tsx';
import { PlanFormDialog } from './plan-form-dialog.tsx';
import { RemovePlanDialog } from './remove-plan-dialog.tsx';

/** `plan` is null for a new one. */
type OpenDialog = { kind: 'edit'; plan: OperatorPlan | null } | { kind: 'remove'; plan: OperatorPlan };

/** Plans with their models, rate limits and prices. */
export function PlansPage() {
  const list = useQuery(trpc.operator.plans.list.queryOptions());
  const [dialog, setDialog] = useState<(OpenDialog & { opener: Element | null }) | null>(null);
  const open = (choice: OpenDialog) => setDialog({ ...choice, opener: document.activeElement });
  const closing = {
    onClose: () => setDialog(null),
    onCloseAutoFocus: returnFocusTo(dialog?.opener ?? null),
  };
  return (
    <>
      <PageHeader
        title="Plans"
        action={
          <Button variant="primary" onClick={() => open({ kind: 'edit', plan: null })}>
            New plan
          </Button>
        }
      >
        Models, rate limits and prices for accounts. Changes apply to the next request.
      </PageHeader>
      <Card className="@container">
        <DataTable
          list={list}
          failure="The plans could not be loaded"
          caption="Plans"
          columns={columns(open)}
          rows={list.data?.plans ?? []}
          rowKey={({ id }) => id}
        />
      </Card>
      {dialog?.kind === 'edit' && <PlanFormDialog plan={dialog.plan} {...closing} />}
      {dialog?.kind === 'remove' && <RemovePlanDialog plan={dialog.plan} {...closing} />}
    </>
  );
}

function columns(open: (choice: OpenDialog) => void): Column<OperatorPlan>[] {
  return [
    { head: 'Plan', cell: (plan) => <PlanName plan={plan} /> },
    {
      head: 'Accounts',
      kind: 'number',
      cell: ({ accounts }) => formatCount(accounts),
    },
    {
      head: 'Per minute',
      from: 'xl',
      kind: 'number',
      cell: ({ rpm, tpm }) => (
        <>
          {rpm === null ? 'no request limit' : formatPlural(rpm, 'request')}
          <div className="text-[12.5px] text-ink-2">
            {tpm === null ? 'no token limit' : `${formatLimit(tpm)} tokens`}
          </div>
        </>
      ),
    },
    {
      head: 'Price multiplier',
      from: 'xl',
      kind: 'number',
      cell: ({ isPrepaid, priceMultiplier }) => (isPrepaid ? `× ${priceMultiplier}` : 'not charged'),
    },
    {
      head: 'Included credit',
      from: '3xl',
      kind: 'money',
      cell: ({ includedCreditUsd }) => formatPrice(includedCreditUsd),
    },
    {
      head: 'Actions',
      isHeadHidden: true,
      kind: 'actions',
      cell: (plan) => (
        <>
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Edit ${plan.id}`}
            onClick={() => open({ kind: 'edit', plan })}
          >
            <Pencil aria-hidden className="size-4" />
          </Button>
          {!plan.isDefault && plan.accounts === 0 && (
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Remove ${plan.id}`}
              onClick={() => open({ kind: 'remove', plan })}
            >
              <Trash2 aria-hidden className="size-4" />
            </Button>
          )}
        </>
      ),
    },
  ];
}

function PlanName({ plan }: { plan: OperatorPlan }) {
  const { id, isDefault, allowedModels } = plan;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{id}</span>
        {isDefault && <Chip tone="ok">default</Chip>}
      </div>
      <div className="text-[12.5px] text-ink-2" title={allowedModels?.join(', ')}>
        {allowedModels === null ? 'all models' : formatPlural(allowedModels.length, 'model')}
      </div>
    </>
  );
}
