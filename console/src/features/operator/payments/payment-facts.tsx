import { Link } from '@tanstack/react-router';
import { paths } from '../../../lib/paths.ts';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { describeMethod } from '../../billing/describe-method.ts';
import { Moment } from '../../billing/moment.tsx';
import { PAYMENT_STATES } from '../../billing/payment-states.ts';
import { Fact } from '../fact.tsx';
import type { OperatorPaymentDetail } from '../operator-types.ts';

/** What the payment is, who made it and how the provider names it. */
export function PaymentFacts({ payment }: { payment: OperatorPaymentDetail }) {
  const { state, failure, method, paidAt } = payment;
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-4 p-5 text-[13px] max-sm:p-4 sm:grid-cols-2 lg:grid-cols-3">
        <Fact name="State">
          <Chip tone={PAYMENT_STATES[state].tone}>{PAYMENT_STATES[state].label}</Chip>
          {failure !== null && <div className="mt-1 text-ink-2">{failure}</div>}
        </Fact>
        <Fact name="Account">
          <Link to={paths.operatorAccount} params={{ accountId: payment.accountId }} className={TEXT_LINK}>
            {payment.accountName}
          </Link>
        </Fact>
        <Fact name="Payer">
          {payment.payerEmail}
          <div className="text-ink-2">{describeMaker(payment)}</div>
        </Fact>
        <Fact name="Begun">
          <Moment iso={payment.createdAt} />
        </Fact>
        <Fact name="Credited">{paidAt === null ? 'never' : <Moment iso={paidAt} />}</Fact>
        <Fact name="Last change">
          <Moment iso={payment.updatedAt} />
        </Fact>
        <Fact name="Method">
          {method === null ? 'not told' : describeMethod(method)}
          {payment.savesMethod && <div className="text-ink-2">may be charged again</div>}
        </Fact>
        <Fact name="Session at the provider">
          <ProviderName id={payment.checkoutSessionId} what="the session" />
        </Fact>
        <Fact name="Payment at the provider">
          <ProviderName id={payment.paymentIntentId} what="the payment" />
        </Fact>
      </dl>
    </Card>
  );
}

function describeMaker({ kind, provider, createdByEmail, payerEmail }: OperatorPaymentDetail): string {
  const by = provider === 'test' ? 'by the test page' : 'by Stripe';
  if (kind === 'auto') return `an automatic top-up, ${by}`;
  if (createdByEmail === null) return `a top-up of somebody who is gone, ${by}`;
  return createdByEmail === payerEmail ? `a top-up, ${by}` : `a top-up of ${createdByEmail}, ${by}`;
}

/** What to look for in the provider's own pages. */
function ProviderName({ id, what }: { id: string | null; what: string }) {
  if (id === null) return 'none';
  return (
    <span className="flex items-center gap-1">
      <span className="min-w-0 truncate font-mono text-[12.5px]" title={id}>
        {id}
      </span>
      <CopyButton text={id} label={`Copy the id of ${what}`} isIconOnly variant="ghost" size="icon" />
    </span>
  );
}
