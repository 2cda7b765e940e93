import { useId, type ReactNode } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { Chip } from '../../components/ui/chip.tsx';
import { RoundedBalance } from '../../components/ui/rounded-cost.tsx';
import { cn } from '../../lib/cn.ts';
import type { Billing } from '../../lib/trpc.ts';
import { subtractAmount } from './amount.ts';

/** Balance, amount on hold for in-flight requests, and pending usage. */
export function BalanceCard({ billing }: { billing: Billing }) {
  const headingId = useId();
  const { availableNanoUsd, heldNanoUsd, unpostedNanoUsd } = billing;
  const free = subtractAmount(availableNanoUsd, heldNanoUsd);
  return (
    <Card>
      <section aria-labelledby={headingId} className="flex h-full flex-col p-5 max-sm:p-4">
        <div className="flex flex-wrap items-center gap-x-2">
          <h2 id={headingId} className="text-[13px] text-ink-2">
            Balance
          </h2>
          <BalanceState billing={billing} free={free} />
        </div>
        <p className="mt-1 text-2xl/8 font-semibold tracking-[-0.02em] break-all">
          <RoundedBalance nanoUsd={availableNanoUsd} />
        </p>
        <div className="mt-auto pt-3 text-[13px]">
          <dl>
            <Line name="Available for new requests" amount={free} isStrong />
          </dl>
          <details className="mt-1.5 border-t pt-1.5">
            <summary className="w-fit cursor-pointer py-0.5 text-ink-2">Details</summary>
            <dl className="divide-y">
              <Line name="On hold for requests in progress" amount={heldNanoUsd}>
                The unused part is released when each request ends.
              </Line>
              <Line name="Pending usage" amount={unpostedNanoUsd}>
                Already deducted from the balance. Listed in the activity below every hour.
              </Line>
            </dl>
          </details>
        </div>
      </section>
    </Card>
  );
}

interface LineProps {
  name: string;
  amount: string;
  isStrong?: boolean;
  children?: ReactNode;
}

function Line({ name, amount, isStrong, children }: LineProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-2 last:pb-0">
      <dt className={cn(isStrong && 'font-medium')}>
        {name}
        {children !== undefined && <p className="text-[12.5px]/[18px] font-normal text-ink-3">{children}</p>}
      </dt>
      <dd className={cn('text-right font-mono text-[12.5px]/5', isStrong && 'font-medium')}>
        <RoundedBalance nanoUsd={amount} />
      </dd>
    </div>
  );
}

/** Chip next to the heading when requests are, or soon will be, rejected. */
function BalanceState({ billing, free }: { billing: Billing; free: string }) {
  if (!billing.plan.isPrepaid) return null;
  const { availableNanoUsd, lowBalanceNanoUsd } = billing;
  if (BigInt(availableNanoUsd) < 0n) return <Chip tone="bad">Overdrawn: requests are rejected</Chip>;
  if (BigInt(availableNanoUsd) === 0n) return <Chip tone="bad">Empty: requests are rejected</Chip>;
  if (BigInt(free) <= 0n) return <Chip tone="warn">In use by requests in progress</Chip>;
  if (lowBalanceNanoUsd !== null && BigInt(availableNanoUsd) < BigInt(lowBalanceNanoUsd)) {
    return <Chip tone="warn">Low</Chip>;
  }
  return null;
}
