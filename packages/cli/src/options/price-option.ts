import { parseUsd } from '@tollgate/core/money/money';
import { z } from 'zod';

const MESSAGE = 'must be an amount in USD per million tokens with at most 9 decimals, such as 3 or 0.15';

/** Parses USD per million tokens to nano-dollars per million tokens. */
export const priceOption = z.string().transform((text, context) => {
  const price = parseUsd(text);
  if (price !== null) return price;
  context.addIssue({ code: 'custom', message: MESSAGE });
  return z.NEVER;
});
