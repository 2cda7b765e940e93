import type { Context } from '../context.ts';
import { deny } from '../denial.ts';
import type { ActiveSession } from '../sessions.ts';

/** Called before a question to the API replicas. @throws if the session asks too often */
export function askAtPace({ deps }: Context, session: ActiveSession): void {
  const waitMs = deps.live.pace.take(deps.sessions.hashId(session.id).toString('hex'));
  if (waitMs === 0) return;
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  const message = `Too many open windows. Updates continue in ${retryAfterSeconds} s.`;
  throw deny('TOO_MANY_REQUESTS', message, { retryAfterSeconds });
}
