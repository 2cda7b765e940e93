import { z } from 'zod';
import { createTicketKind } from './sealed-ticket.ts';

/** What a browser that gave the right password can show when its person brings the code of the second step. */
export const secondFactorTicket = createTicketKind({
  cookie: 'tollgate_second_step',
  context: 'second-factor ticket',
  lifeSeconds: 10 * 60,
  schema: z.object({
    userId: z.string(),
    /** The hash that the password was checked against; null: the person proved themselves in another way. */
    checkedPasswordHash: z.string().nullable(),
  }),
});
