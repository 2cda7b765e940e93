import { Chip } from './chip.tsx';
import { cn } from '../../lib/cn.ts';
import type { CatalogueModel } from '../../lib/trpc.ts';
import { CAPABILITY_LABELS } from '../../lib/capability-labels.ts';

interface CapabilityChipsProps {
  model: Pick<CatalogueModel, 'capabilities'>;
  className?: string;
}

export function CapabilityChips({ model, className }: CapabilityChipsProps) {
  if (model.capabilities.length === 0) return null;
  return (
    <ul className={cn('flex flex-wrap gap-1', className)}>
      {model.capabilities.map((capability) => (
        <li key={capability}>
          <Chip>{CAPABILITY_LABELS[capability]}</Chip>
        </li>
      ))}
    </ul>
  );
}
