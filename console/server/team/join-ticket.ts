import { z } from 'zod';
import { createTicketKind } from '../auth/sealed-ticket.ts';

/**
 * Issued when an invitee chose to join by signing in: the invitation is accepted as soon as they are signed in, however
 * they do that. Without this choice, a link must not accept anything.
 */
export const joinTicket = createTicketKind({
  cookie: 'tollgate_join',
  context: 'invitation to accept at sign-in',
  lifeSeconds: 15 * 60,
  schema: z.object({ token: z.string() }),
});
