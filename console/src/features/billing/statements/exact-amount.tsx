import { DecimalAligned } from '../../../components/ui/decimal-aligned.tsx';
import { formatBalance } from '../../../lib/format/money.ts';
import { formatChange } from '../amount.ts';

/** Decimals of a nano-dollar. */
const EXACT_DECIMALS = 9;

/** An exact amount of a monospace column, aligned at the decimal point. @param isChange true: with a plus sign */
export function ExactAmount({ nanoUsd, isChange = false }: { nanoUsd: string; isChange?: boolean }) {
  const text = isChange ? formatChange(nanoUsd) : formatBalance(nanoUsd);
  return <DecimalAligned text={text} decimals={EXACT_DECIMALS} />;
}
