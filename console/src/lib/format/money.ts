import type { DisplayPreferences } from '@tollgate/core/people/display-preferences';
import { formatUsd, parseUsd } from '@tollgate/core/money/money';

let precision: DisplayPreferences['moneyPrecision'] = 'rounded';

/** `exact`: the rounded formats show every digit. */
export function setMoneyPrecision(next: DisplayPreferences['moneyPrecision']): void {
  precision = next;
}

const NANOS_PER_USD = 1_000_000_000n;
const NANOS_PER_CENT = 10_000_000n;
const NANOS_PER_MICRO_DOLLAR = 1_000n;
const TOO_SMALL = '<$0.000001';
/** As wide as a plus sign, so that columns of changes align. */
const MINUS = '−';
const PERCENT_SCALE = 100n;

/**
 * An exact amount: `"132000"` → `$0.000132`, `"61200000000"` → `$61.20`.
 * @param nanoUsd a decimal integer of nano-dollars, as the server sends money
 */
export function formatCost(nanoUsd: string): string {
  return `$${groupThousands(formatUsd(BigInt(nanoUsd)))}`;
}

/**
 * A rounded amount: cents from $1, below that two significant digits but at least cents.
 * `"65432186900"` → `$65.43`, `"2134500"` → `$0.0021`, `"400"` → `<$0.000001`. Show the exact amount on hover.
 * @param nanoUsd a decimal integer of nano-dollars, at least 0
 */
export function formatCostRounded(nanoUsd: string): string {
  if (precision === 'exact') return formatCost(nanoUsd);
  const amount = BigInt(nanoUsd);
  if (amount > 0n && amount < NANOS_PER_MICRO_DOLLAR) return TOO_SMALL;
  const unit = roundingUnit(amount);
  return formatCost((((amount + unit / 2n) / unit) * unit).toString());
}

/** Nano-dollars of the last digit shown. */
function roundingUnit(amount: bigint): bigint {
  const digits = amount.toString().length;
  const twoDigits = 10n ** BigInt(Math.max(0, digits - 2));
  return twoDigits < NANOS_PER_CENT ? twoDigits : NANOS_PER_CENT;
}

/**
 * An exact balance, with a minus sign if it is overdrawn: `"21000000000"` → `$21.00`, `"-132000"` → `−$0.000132`.
 * @param nanoUsd a decimal integer of nano-dollars, as the server sends money
 */
export function formatBalance(nanoUsd: string): string {
  const amount = BigInt(nanoUsd);
  return amount < 0n ? `${MINUS}${formatCost((-amount).toString())}` : formatCost(nanoUsd);
}

/**
 * A balance rounded like `formatCostRounded`, but down, so that it never shows more than is available. Show the exact
 * amount on hover.
 */
export function formatBalanceShort(nanoUsd: string): string {
  if (precision === 'exact') return formatBalance(nanoUsd);
  const amount = BigInt(nanoUsd);
  if (amount > 0n && amount < NANOS_PER_MICRO_DOLLAR) return TOO_SMALL;
  const size = amount < 0n ? -amount : amount;
  const unit = size < NANOS_PER_MICRO_DOLLAR ? NANOS_PER_MICRO_DOLLAR : roundingUnit(size);
  const rest = amount % unit;
  return formatBalance((amount - rest - (rest < 0n ? unit : 0n)).toString());
}

/** An amount with a sign, rounded to the nearest like a cost: `−$0.42`. */
export function formatChangeRounded(nanoUsd: string): string {
  const isNegative = nanoUsd.startsWith('-');
  return `${isNegative ? '−' : ''}${formatCostRounded(isNegative ? nanoUsd.slice(1) : nanoUsd)}`;
}

/** A limit as typed: whole dollars lose their cents (`$100`), others stay exact (`$0.25`). */
export function formatCap(nanoUsd: string): string {
  const amount = BigInt(nanoUsd);
  if (amount % NANOS_PER_USD !== 0n) return formatCost(nanoUsd);
  return `$${groupThousands((amount / NANOS_PER_USD).toString())}`;
}

/** A price per million tokens, given in dollars: `"0.25"` → `$0.25`, `"3"` → `$3.00`. Finer than nano-dollars: all digits. */
export function formatPrice(usd: string): string {
  const amount = parseUsd(usd);
  return amount === null ? `$${groupThousands(usd)}` : formatCost(amount.toString());
}

/**
 * Spent share of a budget in whole percent, 0 to 100. Rounded down, so that 100 means nothing is left.
 */
export function spentPercent(spentNanoUsd: string, maxBudgetNanoUsd: string): number {
  const spent = BigInt(spentNanoUsd);
  const budget = BigInt(maxBudgetNanoUsd);
  if (budget <= 0n || spent >= budget) return 100;
  return Number((spent * PERCENT_SCALE) / budget);
}

function groupThousands(decimal: string): string {
  const [whole = '0', fraction] = decimal.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
