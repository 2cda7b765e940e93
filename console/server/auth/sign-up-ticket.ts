import type { Clock } from '@tollgate/core/clock';
import type { Sealer } from '@tollgate/auth/seal';
import { z } from 'zod';

/**
 * What a browser that made a sign-up can show when its person proves the mailbox: the hash of the password it chose.
 * Without it a stranger could sign up again with the same address and a password of their own between the person's
 * sign-up and their proof, and would own a key to the verified account ("pre-hijacking",
 * https://arxiv.org/abs/2205.10174).
 */
export interface SignUpTicket {
  email: string;
  passwordHash: string;
}

const CONTEXT = 'sign-up ticket';
const LIFE_SECONDS = 24 * 3600;
export const SIGN_UP_TICKET_COOKIE = 'tollgate_sign_up';

const ticketSchema = z.object({ email: z.string(), passwordHash: z.string(), endsMs: z.number() });

/** @returns the value of the cookie */
export function sealTicket(sealer: Sealer, clock: Clock, ticket: SignUpTicket): string {
  const endsMs = clock.nowMs() + LIFE_SECONDS * 1000;
  return sealer.seal(JSON.stringify({ ...ticket, endsMs }), CONTEXT).toString('base64url');
}

/** @returns null where it is none of ours, or too old */
export function openTicket(sealer: Sealer, clock: Clock, sealed: string): SignUpTicket | null {
  try {
    const text = sealer.open(Buffer.from(sealed, 'base64url'), CONTEXT);
    const { endsMs, ...ticket } = ticketSchema.parse(JSON.parse(text));
    return endsMs > clock.nowMs() ? ticket : null;
  } catch {
    return null;
  }
}

/** The `Set-Cookie` of a ticket; '' takes it away. */
export function ticketCookie(value: string, isSecure: boolean): string {
  const life = value === '' ? 0 : LIFE_SECONDS;
  return `${SIGN_UP_TICKET_COOKIE}=${value}; Path=/trpc; Max-Age=${life}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
