import { formatCost, formatCostRounded } from '../../lib/format/money.ts';
import { Tooltip } from './tooltip.tsx';

/** An amount rounded to be read, with the exact one on hover and focus. @param nanoUsd decimal nano-dollars, at least 0 */
export function RoundedCost({ nanoUsd }: { nanoUsd: string }) {
  const exact = formatCost(nanoUsd);
  const rounded = formatCostRounded(nanoUsd);
  if (exact === rounded) return <span>{exact}</span>;
  return (
    <Tooltip content={exact}>
      <button type="button" className="cursor-default rounded-sm">
        {rounded}
      </button>
    </Tooltip>
  );
}
