import { z } from 'zod';
import { createTicketKind } from './sealed-ticket.ts';

/**
 * What a browser that made a sign-up can show when its person proves the mailbox: the hash of the password it chose.
 * Without it a stranger could sign up again with the same address and a password of their own between the person's
 * sign-up and their proof, and would own a key to the verified account ("pre-hijacking",
 * https://arxiv.org/abs/2205.10174).
 */
export const signUpTicket = createTicketKind({
  cookie: 'tollgate_sign_up',
  context: 'sign-up ticket',
  lifeSeconds: 24 * 3600,
  schema: z.object({ email: z.string(), passwordHash: z.string() }),
});
