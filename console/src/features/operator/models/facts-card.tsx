import { useId } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { CapabilityChips } from '../../../components/ui/capability-chips.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { formatCount } from '../../../lib/format/count.ts';
import { Fact } from '../fact.tsx';
import type { OperatorModel } from '../operator-types.ts';

/** Details of the model, except its price. */
export function FactsCard({ model, onEdit }: { model: OperatorModel; onEdit: () => void }) {
  const headingId = useId();
  const { contextTokens, maxOutputTokens, capabilities, retiresAt } = model;
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
          <Fact name="Context">
            {contextTokens === null ? 'Unknown' : `${formatCount(contextTokens)} tokens`}
          </Fact>
          <Fact name="Max output">
            {maxOutputTokens === null ? 'Unknown' : `${formatCount(maxOutputTokens)} tokens`}
          </Fact>
          <Fact name="Retirement date">{retiresAt === null ? 'None announced' : retiresAt.slice(0, 10)}</Fact>
          <Fact name="Capabilities" className="sm:col-span-3">
            {capabilities.length === 0 ? 'None set' : <CapabilityChips model={model} />}
          </Fact>
        </dl>
      </section>
    </Card>
  );
}
