import type { ModelFactsField } from '@tollgate/core/models/model-facts';
import { useId, type ReactNode } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { CapabilityChips } from '../../../components/ui/capability-chips.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { formatCount } from '../../../lib/format/count.ts';
import { Fact } from '../fact.tsx';
import type { OperatorModel } from '../operator-types.ts';

interface ShownFact {
  name: string;
  show: (model: OperatorModel) => ReactNode;
  /** True: takes a whole row. */
  isWide?: boolean;
}

/** The facts of the card; the page shows the title above it. */
const FACTS: Record<Exclude<ModelFactsField, 'title'>, ShownFact> = {
  contextTokens: { name: 'Context', show: ({ contextTokens }) => describeTokens(contextTokens) },
  maxOutputTokens: { name: 'Max output', show: ({ maxOutputTokens }) => describeTokens(maxOutputTokens) },
  retiresAt: {
    name: 'Retirement date',
    show: ({ retiresAt }) => retiresAt?.slice(0, 10) ?? 'None announced',
  },
  capabilities: {
    name: 'Capabilities',
    show: (model) => (model.capabilities.length === 0 ? 'None set' : <CapabilityChips model={model} />),
    isWide: true,
  },
};

function describeTokens(tokens: number | null): string {
  return tokens === null ? 'Unknown' : `${formatCount(tokens)} tokens`;
}

/** Details of the model, except its price. */
export function FactsCard({ model, onEdit }: { model: OperatorModel; onEdit: () => void }) {
  const headingId = useId();
  return (
    <Card>
      <section aria-labelledby={headingId}>
        <div className="flex items-center gap-2 border-b px-3.5 py-2.5 max-md:px-2.5">
          <h2 id={headingId} className="flex-1 font-semibold">
            Details
          </h2>
          <Button size="sm" onClick={onEdit}>
            Edit details
          </Button>
        </div>
        <dl className="grid gap-x-6 gap-y-3 px-3.5 py-3 text-[13px] max-md:px-2.5 sm:grid-cols-3">
          {Object.values(FACTS).map(({ name, show, isWide = false }) => (
            <Fact key={name} name={name} className={isWide ? 'sm:col-span-3' : ''}>
              {show(model)}
            </Fact>
          ))}
        </dl>
      </section>
    </Card>
  );
}
