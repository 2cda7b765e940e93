import { z } from 'zod';
import { createTicketKind } from '../sealed-ticket.ts';

const providerId = z.enum(['github', 'google', 'oidc']);

/** What a browser that went to a provider must show when it comes back. */
export const journeyTicket = createTicketKind({
  cookie: 'tollgate_external',
  context: 'external sign-in',
  lifeSeconds: 15 * 60,
  schema: z.object({
    provider: providerId,
    state: z.string(),
    nonce: z.string(),
    codeVerifier: z.string(),
    aim: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('enter'),
        redirect: z.string().nullable(),
        operatorToken: z.string().nullable(),
      }),
      /** A signed-in user links the identity to their login. */
      z.object({ kind: z.literal('link'), userId: z.string() }),
      /** A signed-in user confirms their identity by signing in again. */
      z.object({
        kind: z.literal('confirm'),
        userId: z.string(),
        startedAtMs: z.number(),
        redirect: z.string().nullable(),
      }),
    ]),
  }),
});

export type Journey = NonNullable<ReturnType<typeof journeyTicket.read>>;

/** A user identified by a provider who has not confirmed that the login with the same email is theirs. */
export const unconfirmedTicket = createTicketKind({
  cookie: 'tollgate_external_link',
  context: 'external identity to confirm',
  lifeSeconds: 30 * 60,
  schema: z.object({
    provider: providerId,
    issuer: z.string(),
    subject: z.string(),
    email: z.string(),
    userId: z.string(),
    redirect: z.string().nullable(),
  }),
});

export type Unconfirmed = NonNullable<ReturnType<typeof unconfirmedTicket.read>>;
