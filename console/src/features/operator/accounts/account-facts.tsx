import type { ReactNode } from 'react';
import { Card } from '../../../components/ui/card.tsx';
import { Chip } from '../../../components/ui/chip.tsx';
import { cn } from '../../../lib/cn.ts';
import { LastDays } from '../../../components/ui/last-days.tsx';
import { RoundedBalance, RoundedCost } from '../../../components/ui/rounded-cost.tsx';
import { Moment } from '../../../components/ui/moment.tsx';
import type { OperatorAccount } from '../operator-types.ts';

/** The account's figures in one row. */
export function AccountFacts({ account }: { account: OperatorAccount }) {
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 p-5 max-sm:p-4 lg:grid-cols-5">
        <Fact name="Balance" figure={<RoundedBalance nanoUsd={account.availableNanoUsd} />}>
          {account.isPrepaid ? 'requests are charged' : 'the plan charges nothing'}
        </Fact>
        <Fact name="On hold" figure={<RoundedCost nanoUsd={account.heldNanoUsd} />}>
          for requests in progress
        </Fact>
        <Fact
          name={<LastDays days={30}>Last 30 days</LastDays>}
          figure={<RoundedCost nanoUsd={account.spentNanoUsd} />}
        >
          <RoundedCost nanoUsd={account.unpostedNanoUsd} /> pending
        </Fact>
        <Fact name="Plan" figure={<Chip>{account.planId}</Chip>}>
          {account.isPrepaid ? 'prepaid' : 'not prepaid'}
        </Fact>
        <Fact
          name="Owner"
          className="max-lg:col-span-2"
          figure={<span className="text-sm font-normal">{account.ownerEmail ?? 'None'}</span>}
        >
          account created <Moment iso={account.createdAt} />
        </Fact>
      </dl>
    </Card>
  );
}

interface FactProps {
  name: ReactNode;
  figure: ReactNode;
  className?: string;
  children: ReactNode;
}

function Fact({ name, figure, className, children }: FactProps) {
  return (
    <div className={cn('min-w-0', className)}>
      <dt className="text-[13px] text-ink-2">{name}</dt>
      <dd>
        <div className="flex min-h-7 items-center text-base font-semibold tracking-[-0.01em] break-all">
          {figure}
        </div>
        <div className="text-[12.5px] text-ink-3">{children}</div>
      </dd>
    </div>
  );
}
