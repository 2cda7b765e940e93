import type { z } from 'zod';
import { requestsSearchSchema } from '../search.ts';

/** The filters of the list of sessions in its URL. */
export const sessionsSearchSchema = requestsSearchSchema.pick({
  key: true,
  range: true,
  from: true,
  to: true,
});
export type SessionsSearch = z.infer<typeof sessionsSearchSchema>;

/** The session of the page, and the request in the drawer. */
export const sessionSearchSchema = requestsSearchSchema.pick({ session: true, request: true });
