import { formatUsd } from '@tollgate/core/money/money';
import { z } from 'zod';
import { readAmount } from './amount.ts';
import { paymentAmountSchema, type AmountRange } from './top-up-form.ts';

/** A balance threshold as a plain decimal of dollars, above zero. */
export const thresholdSchema = z.string().transform((text, context) => {
  const amount = readAmount(text);
  if (amount !== null && amount > 0n) return formatUsd(amount);
  context.addIssue({ code: 'custom', message: 'Enter an amount above zero, like 5' });
  return z.NEVER;
});

export function autoTopUpSchema(range: AmountRange) {
  return z.object({ thresholdUsd: thresholdSchema, amountUsd: paymentAmountSchema(range) });
}

export type TermsForm = z.input<ReturnType<typeof autoTopUpSchema>>;
export type Terms = z.output<ReturnType<typeof autoTopUpSchema>>;
