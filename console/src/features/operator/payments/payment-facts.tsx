import { Link } from '@tanstack/react-router';
import { paths } from '../../../lib/paths.ts';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { CopyButton } from '../../../components/ui/copy-button.tsx';
import { TEXT_LINK } from '../../../components/ui/text-link.ts';
import { formatBalance } from '../../../lib/format/money.ts';
import { subtractAmount } from '../../billing/amount.ts';
import { DocumentLink } from '../../billing/document-link.tsx';
import { describeMethod } from '../../billing/describe-method.ts';
import { Moment } from '../../../components/ui/moment.tsx';
import { PAYMENT_STATE_LOOKS } from '../../billing/payment-states.ts';
import { Fact } from '../fact.tsx';
import type { OperatorPaymentDetail } from '../operator-types.ts';

/** Facts of the payment: status, payer and provider IDs. */
export function PaymentFacts({ payment }: { payment: OperatorPaymentDetail }) {
  const { state, failure, method, paidAt } = payment;
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-4 p-5 text-[13px] max-sm:p-4 sm:grid-cols-2 lg:grid-cols-3">
        <Fact name="Status">
          <Chip tone={PAYMENT_STATE_LOOKS[state].tone}>{PAYMENT_STATE_LOOKS[state].label}</Chip>
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
        <Fact name="Created">
          <Moment iso={payment.createdAt} />
        </Fact>
        <Fact name="Credited">{paidAt === null ? 'Never' : <Moment iso={paidAt} />}</Fact>
        {payment.addedTaxNanoUsd !== '0' && (
          <Fact name="Credit and taxes">
            {formatBalance(subtractAmount(payment.amountNanoUsd, payment.addedTaxNanoUsd))} and{' '}
            {formatBalance(payment.addedTaxNanoUsd)} tax
          </Fact>
        )}
        {payment.corrections.length > 0 && (
          <Fact name="Corrected by">
            <div className="grid justify-items-start gap-1">
              {payment.corrections.map((document) => (
                <DocumentLink key={document.id} {...document} />
              ))}
            </div>
          </Fact>
        )}
        <Fact name="Last change">
          <Moment iso={payment.updatedAt} />
        </Fact>
        <Fact name="Method">
          {method === null ? 'Unknown' : describeMethod(method)}
          {payment.savesMethod && <div className="text-ink-2">saved for later charges</div>}
        </Fact>
        <Fact name="Provider session ID">
          <ProviderName id={payment.checkoutSessionId} what="session" />
        </Fact>
        <Fact name="Provider payment ID">
          <ProviderName id={payment.paymentIntentId} what="payment" />
        </Fact>
      </dl>
    </Card>
  );
}

function describeMaker({ kind, provider, createdByEmail, payerEmail }: OperatorPaymentDetail): string {
  const via = provider === 'test' ? 'via the test page' : 'via Stripe';
  if (kind === 'auto') return `Automatic top-up ${via}`;
  if (createdByEmail === null) return `Top-up by a deleted user ${via}`;
  return createdByEmail === payerEmail ? `Top-up ${via}` : `Top-up by ${createdByEmail} ${via}`;
}

/** ID of the object in the provider's dashboard. */
function ProviderName({ id, what }: { id: string | null; what: string }) {
  if (id === null) return 'None';
  return (
    <span className="flex items-center gap-1">
      <span className="min-w-0 truncate font-mono text-[12.5px]" title={id}>
        {id}
      </span>
      <CopyButton text={id} label={`Copy ${what} ID`} isIconOnly variant="ghost" size="icon" />
    </span>
  );
}
