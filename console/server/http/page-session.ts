import type { Context } from 'hono';
import type { Deps } from '../deps.ts';
import { isBarred, type ActiveSession } from '../sessions.ts';
import type { AppEnv } from './app-env.ts';

/** @returns the session behind a page that the server writes; null without a verified email or a required second factor */
export async function readPageSession(c: Context<AppEnv>, deps: Deps): Promise<ActiveSession | null> {
  const id = deps.sessions.readId(c.req.header('cookie') ?? null);
  const found = id === null ? null : await deps.sessions.validate(id);
  if (found === null) return null;
  if (found.cookie !== null) c.header('set-cookie', found.cookie, { append: true });
  return found.session.user.emailVerified && !isBarred(found.session) ? found.session : null;
}
