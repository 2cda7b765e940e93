import { parseUsd, type NanoUsd } from '@tollgate/core/money/money';
import { formatBalance, formatCost } from '../../lib/format/money.ts';
import { plainNumber } from '../../lib/typed-number.ts';

/** A balance change with its sign: `+$20.00`, `−$0.000132`; zero has no sign. */
export function formatChange(nanoUsd: string): string {
  return BigInt(nanoUsd) > 0n ? `+${formatCost(nanoUsd)}` : formatBalance(nanoUsd);
}

/** @returns nano-dollars; null if the text is not an amount */
export function readAmount(text: string): NanoUsd | null {
  return parseUsd(plainNumber(text));
}

/** Adds decimal integers of nano-dollars. */
export function sumAmounts(...nanoUsd: string[]): string {
  return nanoUsd.reduce((sum, amount) => sum + BigInt(amount), 0n).toString();
}

/** Subtracts `right` from `left`, both decimal integers of nano-dollars. */
export function subtractAmount(left: string, right: string): string {
  return (BigInt(left) - BigInt(right)).toString();
}
