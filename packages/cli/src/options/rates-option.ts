import { rateLinesSchema } from '@tollgate/core/money/rates/rate-lines';
import { z } from 'zod';

/** Parses additional rates: `service_tier:flex=0.5x tool_calls:web_search=10`. */
export const ratesOption = z
  .array(z.string())
  .transform((texts) =>
    texts.map((text) => {
      const [rate = '', ...value] = text.split('=');
      return { rate, value: value.join('=') };
    }),
  )
  .pipe(rateLinesSchema);
