import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import { getCookieName, writeCookie } from './browser-cookie.ts';

/** A note to ourselves that a browser carries in a cookie: sealed, bound to its purpose, and only for a while. */
export interface TicketKind<T> {
  /** @returns the `Set-Cookie` of a new ticket */
  issue(deps: Deps, content: T): string;
  /** @returns the content of this browser's ticket; null if it has none, or an expired one */
  read(ctx: Pick<Context, 'deps' | 'readCookie'>): T | null;
  /** The `Set-Cookie` that deletes it. */
  blank(deps: Deps): string;
  /** Expiry of a ticket issued now. */
  endsAt(deps: Deps): Date;
}

export function createTicketKind<T>(kind: {
  cookie: string;
  /** What it is sealed for. */
  context: string;
  lifeSeconds: number;
  schema: z.ZodType<T>;
}): TicketKind<T> {
  const sealed = z.object({ endsMs: z.number(), content: kind.schema });
  const write = (deps: Deps, value: string, maxAgeSeconds: number) =>
    writeCookie(deps.settings, { name: kind.cookie, value, maxAgeSeconds });
  const endsMs = (deps: Deps) => deps.clock.nowMs() + kind.lifeSeconds * 1000;
  return {
    issue(deps, content) {
      const text = JSON.stringify({ endsMs: endsMs(deps), content });
      return write(deps, deps.sealer.seal(text, kind.context).toString('base64url'), kind.lifeSeconds);
    },
    read(ctx) {
      const { deps } = ctx;
      const value = ctx.readCookie(getCookieName(deps.settings, kind.cookie));
      if (value === null) return null;
      try {
        const text = deps.sealer.open(Buffer.from(value, 'base64url'), kind.context);
        const ticket = sealed.parse(JSON.parse(text));
        return ticket.endsMs > deps.clock.nowMs() ? ticket.content : null;
      } catch {
        return null;
      }
    },
    blank: (deps) => write(deps, '', 0),
    endsAt: (deps) => new Date(endsMs(deps)),
  };
}

/** How a ticket that works once is remembered. */
export function hashTicket(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
