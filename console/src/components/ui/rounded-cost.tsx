import {
  formatBalance,
  formatBalanceShort,
  formatChangeRounded,
  formatCostRounded,
} from '../../lib/format/money.ts';
import { DecimalAligned } from './decimal-aligned.tsx';
import { Tooltip } from './tooltip.tsx';

/** Decimals of `<$0.000001`. */
export const ROUNDED_DECIMALS = 6;

/** A rounded cost; hover and focus show the exact one. @param nanoUsd decimal nano-dollars, at least 0 */
export function RoundedCost({ nanoUsd }: { nanoUsd: string }) {
  return <Rounded exact={formatBalance(nanoUsd)} rounded={formatCostRounded(nanoUsd)} />;
}

/** A `RoundedCost` for a monospace column: aligned at the decimal point. */
export function AlignedCost({ nanoUsd }: { nanoUsd: string }) {
  return (
    <DecimalAligned text={formatCostRounded(nanoUsd)} decimals={ROUNDED_DECIMALS}>
      <RoundedCost nanoUsd={nanoUsd} />
    </DecimalAligned>
  );
}

/** A balance rounded down; hover and focus show the exact one. @param nanoUsd decimal nano-dollars */
export function RoundedBalance({ nanoUsd }: { nanoUsd: string }) {
  return <Rounded exact={formatBalance(nanoUsd)} rounded={formatBalanceShort(nanoUsd)} />;
}

/** An amount with a sign, rounded like a cost; hover and focus show the exact one. @param nanoUsd decimal nano-dollars */
export function RoundedChange({ nanoUsd }: { nanoUsd: string }) {
  return <Rounded exact={formatBalance(nanoUsd)} rounded={formatChangeRounded(nanoUsd)} />;
}

/** A `RoundedBalance` for a monospace column: aligned at the decimal point. */
export function AlignedBalance({ nanoUsd }: { nanoUsd: string }) {
  return (
    <DecimalAligned text={formatBalanceShort(nanoUsd)} decimals={ROUNDED_DECIMALS}>
      <RoundedBalance nanoUsd={nanoUsd} />
    </DecimalAligned>
  );
}

function Rounded({ exact, rounded }: { exact: string; rounded: string }) {
  if (exact === rounded) return <span>{exact}</span>;
  return (
    <Tooltip content={exact}>
      <button type="button" className="cursor-default rounded-sm">
        {rounded}
      </button>
    </Tooltip>
  );
}
