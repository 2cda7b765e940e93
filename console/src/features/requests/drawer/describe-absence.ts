import { formatPlural } from '../../../lib/format/count.ts';
import type { Retention } from '../../../lib/trpc.ts';

const DAY_MS = 86_400_000;

/** Explains why a finished request has no logged payload. */
export function describeAbsence(startedAt: string, setting: Retention, nowMs: number): string {
  if (setting === null) return 'Not logged: request logging is off.';
  const startedAtMs = new Date(startedAt).getTime();
  if (startedAtMs < new Date(setting.since).getTime())
    return 'Not logged: request logging was off at that time.';
  if (startedAtMs < nowMs - setting.retentionDays * DAY_MS)
    return `Deleted: content is kept for ${formatPlural(setting.retentionDays, 'day')}.`;
  return 'Not logged: the request was incomplete, or the gateway was overloaded.';
}
