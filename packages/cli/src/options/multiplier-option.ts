import { parseMultiplier } from '@tollgate/core/money/multiplier';
import { z } from 'zod';

const MESSAGE = 'must be a factor from 0 to 100 with at most 6 decimals, such as 1.2';

/** Parses a factor such as `1.2` to parts per million. */
export const multiplierOption = z.string().transform((text, context) => {
  const ppm = parseMultiplier(text);
  if (ppm !== null) return ppm;
  context.addIssue({ code: 'custom', message: MESSAGE });
  return z.NEVER;
});
