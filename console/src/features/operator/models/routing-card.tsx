import type { RoutingPolicy } from '@tollgate/core/models/routing-policy';
import { useId } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { formatCount } from '../../../lib/format/count.ts';
import { Fact } from '../fact.tsx';
import type { OperatorModel } from '../operator-types.ts';
import { STRATEGY_NAMES } from './routing-form.ts';

const ROUTING_FACTS: Record<keyof RoutingPolicy, { name: string; show: (policy: RoutingPolicy) => string }> =
  {
    strategy: { name: 'Strategy', show: ({ strategy }) => STRATEGY_NAMES[strategy] },
    firstTokenTimeoutMs: {
      name: 'First token timeout',
      show: ({ firstTokenTimeoutMs }) => describeTime(firstTokenTimeoutMs),
    },
    hedgeAfterMs: {
      name: 'Hedge after',
      show: ({ hedgeAfterMs }) => (hedgeAfterMs === null ? 'Off' : describeTime(hedgeAfterMs)),
    },
    retryBudgetMs: { name: 'Retry budget', show: ({ retryBudgetMs }) => describeTime(retryBudgetMs) },
    healthCheckIntervalS: {
      name: 'Health checks',
      show: ({ healthCheckIntervalS }) =>
        healthCheckIntervalS === null ? 'Off' : `Every ${formatCount(healthCheckIntervalS)} s`,
    },
    contentPolicyFailover: {
      name: 'Content policy failover',
      show: ({ contentPolicyFailover }) => (contentPolicyFailover ? 'On' : 'Off'),
    },
    continueStreams: {
      name: 'Continue streams',
      show: ({ continueStreams }) => (continueStreams ? 'On' : 'Off'),
    },
  };

function describeTime(ms: number | null): string {
  return ms === null ? 'Default' : `${formatCount(ms)} ms`;
}

/** How the requests of the model are routed. */
export function RoutingCard({ model, onEdit }: { model: OperatorModel; onEdit: () => void }) {
  const headingId = useId();
  return (
    <Card>
      <section aria-labelledby={headingId}>
        <div className="flex items-center gap-2 border-b px-3.5 py-2.5 max-md:px-2.5">
          <h2 id={headingId} className="flex-1 font-semibold">
            Routing
          </h2>
          <Button size="sm" onClick={onEdit}>
            Edit routing
          </Button>
        </div>
        <dl className="grid gap-x-6 gap-y-3 px-3.5 py-3 text-[13px] max-md:px-2.5 sm:grid-cols-3 lg:grid-cols-5">
          {Object.values(ROUTING_FACTS).map(({ name, show }) => (
            <Fact key={name} name={name}>
              {show(model.routing)}
            </Fact>
          ))}
        </dl>
      </section>
    </Card>
  );
}
