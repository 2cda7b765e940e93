import type { ReactNode } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { formatCap, formatPrice } from '../../lib/format/money.ts';
import type { Billing } from '../../lib/trpc.ts';
import { describeMethod } from './describe-method.ts';
import { formatUtcShort } from './statements/describe-month.ts';

interface AutomaticCardProps {
  billing: Billing;
  canEdit: boolean;
  onAutoTopUp: () => void;
  onSaveCard: () => void;
  onLowBalance: () => void;
  onRemoveMethod: () => void;
}

/** Settings for a low balance: automatic top-up and email. */
export function AutomaticCard(props: AutomaticCardProps) {
  const { billing, canEdit, onAutoTopUp, onSaveCard, onLowBalance, onRemoveMethod } = props;
  const { savedMethod } = billing;
  const isOn = billing.autoTopUp?.enabled === true && billing.savedMethod !== null;
  const autoTopUpButton =
    billing.savedMethod !== null ? (
      <Button onClick={onAutoTopUp}>{isOn ? 'Change…' : 'Set up…'}</Button>
    ) : (
      <Button onClick={onSaveCard}>Top up and save a card…</Button>
    );
  return (
    <Card className="divide-y">
      {billing.payments.mode !== 'none' && (
        <Row title="Automatic top-up" isOn={isOn} action={canEdit ? autoTopUpButton : null}>
          {describeAutoTopUp(billing)}
        </Row>
      )}
      {savedMethod !== null && (
        <Row title="Saved card" action={canEdit ? <Button onClick={onRemoveMethod}>Remove…</Button> : null}>
          {describeMethod(savedMethod)}, stored by the payment provider. Used only for automatic top-ups.
        </Row>
      )}
      <Row
        title="Low-balance email"
        isOn={billing.lowBalanceNanoUsd !== null}
        action={
          canEdit ? (
            <Button onClick={onLowBalance}>
              {billing.lowBalanceNanoUsd === null ? 'Set up…' : 'Change…'}
            </Button>
          ) : null
        }
      >
        {billing.lowBalanceNanoUsd === null
          ? 'You will not be warned before requests start failing.'
          : `Sent to owners and admins when the balance falls below ${formatCap(billing.lowBalanceNanoUsd)}.`}
      </Row>
    </Card>
  );
}

interface RowProps {
  title: string;
  /** Absent for rows that cannot be turned on or off. */
  isOn?: boolean;
  action: ReactNode;
  children: ReactNode;
}

function Row({ title, isOn, action, children }: RowProps) {
  return (
    <section
      aria-label={title}
      className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-5 py-3.5 max-sm:px-4"
    >
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="flex items-center gap-2 font-medium">
          {title}
          {isOn !== undefined && <Chip tone={isOn ? 'ok' : 'neutral'}>{isOn ? 'On' : 'Off'}</Chip>}
        </h2>
        <p className="mt-0.5 text-[13px] text-ink-2">{children}</p>
      </div>
      {action}
    </section>
  );
}

function describeAutoTopUp({ autoTopUp, savedMethod, taxes }: Billing): string {
  if (savedMethod === null) {
    return 'Charges a saved card when the balance runs low. To use it, save a card at your next top-up.';
  }
  const method = describeMethod(savedMethod);
  if (autoTopUp?.enabled === true) {
    return `When the balance falls below ${formatPrice(autoTopUp.thresholdUsd)}, ${describeCharge(autoTopUp, taxes.mode)} charged to ${method}. ${describeMaximum(autoTopUp)}`;
  }
  return `${method} is saved. It is charged only after you turn this on.`;
}

function describeMaximum({
  monthlyMaxUsd,
  chargedThisMonthUsd,
  chargeUsd,
  pausedUntil,
}: NonNullable<Billing['autoTopUp']>): string {
  const charged = `${formatPrice(chargedThisMonthUsd)} charged this month, before refunds`;
  if (monthlyMaxUsd === null) return `No monthly maximum; ${charged}.`;
  const used = `${formatPrice(chargedThisMonthUsd)} of at most ${formatPrice(monthlyMaxUsd)} charged this month, before refunds`;
  if (pausedUntil === null) return `${used}.`;
  return `${used}. Another ${formatPrice(chargeUsd)} would exceed it: no more automatic top-ups before ${formatUtcShort(pausedUntil)} (UTC).`;
}

function describeCharge(
  { amountUsd, chargeUsd }: NonNullable<Billing['autoTopUp']>,
  mode: Billing['taxes']['mode'],
): string {
  if (mode === 'stripe') return `${formatPrice(amountUsd)} and taxes by the card’s billing address are`;
  if (amountUsd === chargeUsd) return `${formatPrice(amountUsd)} is`;
  return `${formatPrice(chargeUsd)} (${formatPrice(amountUsd)} and taxes) is`;
}
