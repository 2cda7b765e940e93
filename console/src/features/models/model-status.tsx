import { Chip } from '../../components/ui/chip.tsx';
import { formatDay } from '../../lib/format/time.ts';
import { useNow } from '../../lib/use-now.ts';
import type { CatalogueModel } from '../../lib/trpc.ts';

const CLOCK_MS = 60_000;

const REASONS = {
  not_in_plan: { label: 'Not in your plan', means: 'Your plan does not include this model.' },
  no_price: {
    label: 'No price',
    means: 'Requests are rejected because this model has no price.',
  },
  no_route: { label: 'No route', means: 'No provider is set up for this model.' },
} as const;

/** Why a model is unavailable, and its retirement date. */
export function ModelStatus({ model }: { model: Pick<CatalogueModel, 'availability' | 'retiresAt'> }) {
  const reason = model.availability === 'available' ? null : REASONS[model.availability];
  return (
    <>
      {reason !== null && <Chip title={reason.means}>{reason.label}</Chip>}
      {model.retiresAt !== null && <Retirement retiresAt={new Date(model.retiresAt)} />}
    </>
  );
}

function Retirement({ retiresAt }: { retiresAt: Date }) {
  const isOver = retiresAt.getTime() <= useNow(CLOCK_MS);
  return (
    <Chip tone={isOver ? 'bad' : 'warn'} title={retiresAt.toISOString()}>
      {isOver ? 'Retired' : 'Retires'} {formatDay(retiresAt)}
    </Chip>
  );
}
