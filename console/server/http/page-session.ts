import type { Context } from 'hono';
import type { Deps } from '../deps.ts';
import type { ActiveSession } from '../sessions.ts';
import type { AppEnv } from './app-env.ts';

/** Who asks for a page that the server writes by itself; null: nobody who is signed in with a verified e-mail. */
export async function readPageSession(c: Context<AppEnv>, deps: Deps): Promise<ActiveSession | null> {
  const id = deps.sessions.readId(c.req.header('cookie') ?? null);
  const found = id === null ? null : await deps.sessions.validate(id);
  if (found === null) return null;
  if (found.cookie !== null) c.header('set-cookie', found.cookie, { append: true });
  return found.session.user.emailVerified ? found.session : null;
}
