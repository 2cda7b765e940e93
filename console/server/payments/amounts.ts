import { formatUsd, parseUsd, type NanoUsd } from '@tollgate/core/money/money';
import { NANO_USD_PER_CENT } from '@tollgate/db/queries/payments/payments';

/** Range of one payment, inclusive. */
export interface TopUpRange {
  minNanoUsd: NanoUsd;
  maxNanoUsd: NanoUsd;
}

type ReadAmount = { ok: true; amountCents: number } | { ok: false; message: string };

/**
 * Parses the amount of a payment.
 * @param amountUsd a plain decimal of dollars: `20`, `12.50`
 */
export function readTopUpAmount(amountUsd: string, { minNanoUsd, maxNanoUsd }: TopUpRange): ReadAmount {
  const amount = parseUsd(amountUsd);
  if (amount === null) return { ok: false, message: 'Enter an amount in dollars, like 20 or 12.50.' };
  if (amount % NANO_USD_PER_CENT !== 0n) return { ok: false, message: 'Use at most two decimals.' };
  if (amount < minNanoUsd) return { ok: false, message: `Minimum $${formatUsd(minNanoUsd)}.` };
  if (amount > maxNanoUsd) return { ok: false, message: `Maximum $${formatUsd(maxNanoUsd)} per payment.` };
  return { ok: true, amountCents: Number(amount / NANO_USD_PER_CENT) };
}

/** A plain decimal of dollars: `102050` → `"1020.50"`. */
export function formatCents(cents: number): string {
  return formatUsd(BigInt(cents) * NANO_USD_PER_CENT);
}

/** An amount as people read it: `102050` → `"1,020.50"`. */
export function showCents(cents: number): string {
  return formatCents(cents).replace(/\B(?=(\d{3})+\.)/g, ',');
}
