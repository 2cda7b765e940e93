import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { lazyDialog } from '../../components/ui/lazy-dialog.tsx';
import { useCurrentAccount, useHasRole } from '../../lib/current-account.ts';
import { paths } from '../../lib/paths.ts';
import type { Billing } from '../../lib/trpc.ts';
import { AutoTopUpTrouble } from './auto-top-up-trouble.tsx';
import { AutomaticCard } from './automatic-card.tsx';
import { BalanceCard } from './balance-card.tsx';
import { DetailsCard } from './details/details-card.tsx';
import { BillingSkeleton } from './billing-skeleton.tsx';
import { returnFocusTo } from '../../lib/return-focus.ts';
import { History } from './history.tsx';
import { PaymentResult } from './payment-result.tsx';
import { PaymentsAbsent } from './payments-absent.tsx';
import { PlanCard } from './plan-card.tsx';
import { RemoveMethodDialog } from './remove-method-dialog.tsx';
import { useBilling } from './use-billing.ts';

const AutoTopUpDialog = lazyDialog(async () => (await import('./auto-top-up-dialog.tsx')).AutoTopUpDialog);
const LowBalanceDialog = lazyDialog(async () => (await import('./low-balance-dialog.tsx')).LowBalanceDialog);
const TopUpDialog = lazyDialog(async () => (await import('./top-up-dialog.tsx')).TopUpDialog);

type DialogChoice =
  | { kind: 'top-up'; isSavingCard: boolean }
  | { kind: 'auto-top-up' | 'low-balance' | 'remove-method' };
/** With the element that had the focus before. */
type OpenDialog = DialogChoice & { opener: Element | null };

export function BillingPage() {
  const account = useCurrentAccount();
  const isAdmin = useHasRole('admin');
  const { payment } = useSearch({ from: '/app/billing' });
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const query = useBilling(account.id);
  const billing = query.data;
  const canTopUp = isAdmin && billing !== undefined && takesPayments(billing);
  const open = (choice: DialogChoice) => setDialog({ ...choice, opener: document.activeElement });
  const openTopUp = () => open({ kind: 'top-up', isSavingCard: false });
  return (
    <>
      <PageHeader
        title="Billing"
        action={
          <>
            <Button asChild>
              <Link to={paths.statements}>Statements</Link>
            </Button>
            {canTopUp && (
              <Button variant="primary" onClick={openTopUp}>
                Top up
              </Button>
            )}
          </>
        }
      >
        Balance, payments and usage charges.
        {!isAdmin && ' Only owners and admins can make changes.'}
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {payment !== undefined && (
          <PaymentResult
            key={`${account.id} ${payment}`}
            accountId={account.id}
            paymentId={payment}
            onTryAgain={canTopUp ? openTopUp : null}
          />
        )}
        {query.isPending && <BillingSkeleton />}
        {query.isError && billing === undefined && (
          <Card>
            <ErrorState
              title="The balance could not be loaded"
              error={query.error}
              isRetrying={query.isFetching}
              onRetry={() => void query.refetch()}
            />
          </Card>
        )}
        {billing !== undefined && (
          <>
            <Overview accountId={account.id} billing={billing} canEdit={isAdmin} onOpen={open} />
            <Dialogs
              dialog={dialog}
              accountId={account.id}
              billing={billing}
              onClose={() => setDialog(null)}
            />
          </>
        )}
      </div>
    </>
  );
}

/** Offers top-ups only on prepaid plans. */
function takesPayments({ payments, plan }: Billing): boolean {
  return payments.mode !== 'none' && plan.isPrepaid;
}

interface OverviewProps {
  accountId: string;
  billing: Billing;
  canEdit: boolean;
  onOpen: (choice: DialogChoice) => void;
}

function Overview({ accountId, billing, canEdit, onOpen }: OverviewProps) {
  const { plan, payments } = billing;
  return (
    <>
      {plan.isPrepaid && billing.autoTopUpTrouble !== null && (
        <AutoTopUpTrouble trouble={billing.autoTopUpTrouble} canEdit={canEdit} />
      )}
      {plan.isPrepaid && payments.mode === 'none' && <PaymentsAbsent />}
      <div className="grid gap-4 lg:grid-cols-2">
        <BalanceCard billing={billing} />
        <PlanCard plan={plan} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 min-[112rem]:grid-cols-2">
        {plan.isPrepaid && (
          <AutomaticCard
            billing={billing}
            canEdit={canEdit}
            onAutoTopUp={() => onOpen({ kind: 'auto-top-up' })}
            onSaveCard={() => onOpen({ kind: 'top-up', isSavingCard: true })}
            onLowBalance={() => onOpen({ kind: 'low-balance' })}
            onRemoveMethod={() => onOpen({ kind: 'remove-method' })}
          />
        )}
        <DetailsCard key={accountId} accountId={accountId} canEdit={canEdit} />
      </div>
      <History accountId={accountId} billing={billing} />
    </>
  );
}

interface DialogsProps {
  dialog: OpenDialog | null;
  accountId: string;
  billing: Billing;
  onClose: () => void;
}

function Dialogs({ dialog, ...given }: DialogsProps) {
  if (dialog === null) return null;
  const rest = { ...given, onCloseAutoFocus: returnFocusTo(dialog.opener) };
  switch (dialog.kind) {
    case 'top-up':
      return <TopUpDialog {...rest} isSavingCard={dialog.isSavingCard} />;
    case 'auto-top-up':
      return rest.billing.savedMethod === null ? null : (
        <AutoTopUpDialog {...rest} savedMethod={rest.billing.savedMethod} />
      );
    case 'remove-method':
      return rest.billing.savedMethod === null ? null : (
        <RemoveMethodDialog
          accountId={rest.accountId}
          savedMethod={rest.billing.savedMethod}
          isCharged={rest.billing.autoTopUp?.enabled === true}
          onClose={rest.onClose}
          onCloseAutoFocus={rest.onCloseAutoFocus}
        />
      );
    case 'low-balance':
      return (
        <LowBalanceDialog
          accountId={rest.accountId}
          thresholdNanoUsd={rest.billing.lowBalanceNanoUsd}
          onClose={rest.onClose}
          onCloseAutoFocus={rest.onCloseAutoFocus}
        />
      );
  }
}
