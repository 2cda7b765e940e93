import type { PlanTermsField } from '@tollgate/core/money/plan-terms';
import { useId, type ReactNode } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { formatCount, formatPlural } from '../../lib/format/count.ts';
import type { Billing } from '../../lib/trpc.ts';
import { describePrice } from './describe-price.ts';

const CHIPS_SHOWN = 4;

type Plan = Billing['plan'];

/** Lines of the card. `isPrepaid` is its first sentence; members do not see the credit and the operator's rules. */
const TERM_LINES: Record<
  Exclude<PlanTermsField, 'isPrepaid' | 'includedCreditUsd' | 'forwardsUnknown' | 'countsCacheReads'>,
  { name: string; show: (plan: Plan) => ReactNode }
> = {
  rpm: { name: 'Requests per minute, all keys', show: ({ rpm }) => describeLimit(rpm) },
  tpm: { name: 'Tokens per minute, all keys', show: ({ tpm }) => describeLimit(tpm) },
  priceMultiplier: {
    name: 'Prices',
    show: ({ isPrepaid, pricePpm }) => (isPrepaid ? describePrice(pricePpm) : 'Not charged'),
  },
  ownCredentialFee: {
    name: 'Fee with own credentials',
    show: ({ isPrepaid, ownCredentialPpm }) => (isPrepaid ? describePrice(ownCredentialPpm) : 'Not charged'),
  },
  allowedModels: { name: 'Models', show: ({ allowedModels }) => <Models models={allowedModels} /> },
};

function describeLimit(limit: number | null): string {
  return limit === null ? 'No limit' : formatCount(limit);
}

/** Limits and price of the account's plan. */
export function PlanCard({ plan }: Pick<Billing, 'plan'>) {
  const headingId = useId();
  return (
    <Card>
      <section aria-labelledby={headingId} className="flex h-full flex-col p-5 max-sm:p-4">
        <h2 id={headingId} className="text-[13px] text-ink-2">
          Plan
        </h2>
        <p className="mt-1 text-2xl/8 font-semibold tracking-[-0.02em] break-words">{plan.id}</p>
        <p className="text-[13px] text-ink-2">
          {plan.isPrepaid
            ? 'Prepaid: requests are paid from the balance and rejected when it is used up.'
            : 'Not prepaid: usage is recorded but not charged.'}
        </p>
        <dl className="mt-auto divide-y pt-3 text-[13px]">
          {Object.values(TERM_LINES).map(({ name, show }) => (
            <Line key={name} name={name}>
              {show(plan)}
            </Line>
          ))}
        </dl>
      </section>
    </Card>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-2 last:pb-0">
      <dt className="shrink-0">{name}</dt>
      <dd className="min-w-0 text-right text-ink-2">{children}</dd>
    </div>
  );
}

/** Chips for a short list; a long list is collapsed. */
function Models({ models }: { models: string[] | null }) {
  if (models === null) return 'All models';
  const chips = (
    <ul className="mt-1 flex flex-wrap justify-end gap-1">
      {models.map((model) => (
        <li key={model} className="max-w-full">
          <Chip className="h-auto min-h-5 text-left break-all whitespace-normal">{model}</Chip>
        </li>
      ))}
    </ul>
  );
  if (models.length <= CHIPS_SHOWN) return chips;
  return (
    <details>
      <summary className="cursor-pointer rounded-sm">{formatPlural(models.length, 'model')}</summary>
      {chips}
    </details>
  );
}
