import { parseUsd, type NanoUsd } from '@tollgate/core/money/money';
import { z } from 'zod';

const MAX_USD = 1_000_000n;
const MAX_NANO_USD = MAX_USD * 1_000_000_000n;
const UNSIGNED = 'must be an amount in USD up to 1000000 with at most 9 decimals, such as 10 or 0.25';
const SIGNED = `${UNSIGNED}; a negative amount removes credit`;

/** Parses an amount in USD, including 0, to nano-dollars. */
export const amountOption = z.string().transform((text, context): NanoUsd => {
  const amount = parseUsd(text);
  if (amount !== null && amount <= MAX_NANO_USD) return amount;
  context.addIssue({ code: 'custom', message: UNSIGNED });
  return z.NEVER;
});

/** Parses an amount in USD, such as `-5` but not 0, to nano-dollars. */
export const signedAmountOption = z.string().transform((text, context): NanoUsd => {
  const typed = text.trim();
  const amount = parseUsd(typed.startsWith('-') ? typed.slice(1) : typed);
  if (amount !== null && amount > 0n && amount <= MAX_NANO_USD)
    return typed.startsWith('-') ? -amount : amount;
  context.addIssue({ code: 'custom', message: amount === 0n ? 'must not be 0' : SIGNED });
  return z.NEVER;
});
