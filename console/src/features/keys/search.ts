import { z } from 'zod';

export const KEY_STATES = ['active', 'expiring', 'ended'] as const;
export type KeyListState = (typeof KEY_STATES)[number];

/** What of the list is shown, kept in the URL. The defaults are absent from it. */
export const keysSearchSchema = z.object({
  state: z.enum(KEY_STATES).optional().catch(undefined),
  q: z.coerce.string().max(100).optional().catch(undefined),
});
