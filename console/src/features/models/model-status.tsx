import { Chip } from '../../components/ui/chip.tsx';
import { useNow } from '../../lib/use-now.ts';
import type { CatalogueModel } from '../../lib/trpc.ts';

const CLOCK_MS = 60_000;
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

const REASONS = {
  not_in_plan: { label: 'not in your plan', means: 'The plan of this account does not allow this model.' },
  no_price: {
    label: 'no price',
    means: 'Without a price nobody can call it: nothing is ever free by mistake.',
  },
  no_route: { label: 'no route', means: 'No provider serves this model here.' },
} as const;

/** Why a model cannot be called, and when its maker takes it away. */
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
      {isOver ? 'retired' : 'retires'} {day.format(retiresAt)}
    </Chip>
  );
}
