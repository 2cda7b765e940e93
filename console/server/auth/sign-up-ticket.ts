import { z } from 'zod';
import { createTicketKind } from './sealed-ticket.ts';

/**
 * Issued to the browser of a sign-up and shown at verification: the hash of the chosen password. Without it, a
 * stranger could sign up again with the same address and another password between the user's sign-up and
 * verification, and could then sign in to the verified account ("pre-hijacking", https://arxiv.org/abs/2205.10174).
 */
export const signUpTicket = createTicketKind({
  cookie: 'tollgate_sign_up',
  context: 'sign-up ticket',
  lifeSeconds: 24 * 3600,
  schema: z.object({ email: z.string(), passwordHash: z.string() }),
});
