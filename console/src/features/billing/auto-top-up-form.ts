import { formatUsd } from '@tollgate/core/money/money';
import { z } from 'zod';
import { readAmount } from './amount.ts';
import { paymentAmountSchema, type AmountRange } from './top-up-form.ts';

const NANOS_PER_CENT = 10_000_000n;

/** A balance threshold as a plain decimal of dollars, above zero. */
export const thresholdSchema = z.string().transform((text, context) => {
  const amount = readAmount(text);
  if (amount !== null && amount > 0n) return formatUsd(amount);
  context.addIssue({ code: 'custom', message: 'Enter an amount above zero, like 5' });
  return z.NEVER;
});

const maximumSchema = z.string().transform((text, context) => {
  if (text.trim() === '') return null;
  const amount = readAmount(text);
  if (amount !== null && amount > 0n && amount % NANOS_PER_CENT === 0n) return formatUsd(amount);
  context.addIssue({ code: 'custom', message: 'Enter an amount like 100, or leave it empty' });
  return z.NEVER;
});

/** An empty maximum is none. */
export function autoTopUpSchema(range: AmountRange) {
  return z
    .object({
      thresholdUsd: thresholdSchema,
      amountUsd: paymentAmountSchema(range),
      monthlyMaxUsd: maximumSchema,
    })
    .superRefine(({ amountUsd, monthlyMaxUsd }, context) => {
      if (monthlyMaxUsd === null || (readAmount(monthlyMaxUsd) ?? 0n) >= (readAmount(amountUsd) ?? 0n))
        return;
      const message = 'Enter at least the top-up amount';
      context.addIssue({ code: 'custom', path: ['monthlyMaxUsd'], message });
    });
}

export type TermsForm = z.input<ReturnType<typeof autoTopUpSchema>>;
export type Terms = z.output<ReturnType<typeof autoTopUpSchema>>;
