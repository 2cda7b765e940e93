import type { z } from 'zod';
import { requestsSearchSchema } from '../search.ts';

/** The filters of the page in its URL. */
export const failuresSearchSchema = requestsSearchSchema.pick({
  key: true,
  model: true,
  range: true,
  from: true,
  to: true,
});

export type FailuresSearch = z.infer<typeof failuresSearchSchema>;
