import { formatUsd, parseUsd, type NanoUsd } from '@tollgate/core/money/money';
import { z } from 'zod';
import { formatCap } from '../../lib/format/money.ts';
import type { Billing } from '../../lib/trpc.ts';
import { readAmount } from './amount.ts';

const NANOS_PER_USD = 1_000_000_000n;
const NANOS_PER_CENT = 10_000_000n;
const PRESETS_USD = [5n, 10n, 20n, 50n, 100n, 250n, 500n, 1_000n];
const PRESETS_SHOWN = 5;

/** Range of one payment, inclusive. */
export interface AmountRange {
  minNanoUsd: NanoUsd;
  maxNanoUsd: NanoUsd;
}

/**
 * A typed amount in whole cents within the range, given on as a plain decimal of dollars: `$1,000` → `"1000.00"`.
 * The server checks the same once more.
 */
export function paymentAmountSchema(range: AmountRange) {
  return z.string().transform((text, context) => {
    const read = readPayment(text, range);
    if (read.ok) return formatUsd(read.amount);
    context.addIssue({ code: 'custom', message: read.message });
    return z.NEVER;
  });
}

type ReadPayment = { ok: true; amount: NanoUsd } | { ok: false; message: string };

/** Parses a typed payment amount. */
export function readPayment(text: string, { minNanoUsd, maxNanoUsd }: AmountRange): ReadPayment {
  const amount = readAmount(text);
  if (amount === null) return { ok: false, message: 'Enter an amount in dollars, like 20 or 12.50' };
  if (amount % NANOS_PER_CENT !== 0n) return { ok: false, message: 'Use at most two decimals' };
  if (amount < minNanoUsd) return { ok: false, message: `Minimum ${formatCap(minNanoUsd.toString())}` };
  if (amount > maxNanoUsd) {
    return { ok: false, message: `Maximum ${formatCap(maxNanoUsd.toString())} per payment` };
  }
  return { ok: true, amount };
}

/** The form of a top-up. */
export function topUpSchema(range: AmountRange) {
  return z.object({ amountUsd: paymentAmountSchema(range), saveMethod: z.boolean() });
}

export type TopUpForm = z.input<ReturnType<typeof topUpSchema>>;
export type TopUp = z.output<ReturnType<typeof topUpSchema>>;

/** The range from the server. */
export function getRange({ payments }: Pick<Billing, 'payments'>): AmountRange {
  return { minNanoUsd: parseUsd(payments.minUsd) ?? 0n, maxNanoUsd: parseUsd(payments.maxUsd) ?? 0n };
}

/** Round amounts within the range, in whole dollars. */
export function presetsWithin({ minNanoUsd, maxNanoUsd }: AmountRange): string[] {
  return PRESETS_USD.filter((usd) => usd * NANOS_PER_USD >= minNanoUsd && usd * NANOS_PER_USD <= maxNanoUsd)
    .slice(0, PRESETS_SHOWN)
    .map(String);
}
