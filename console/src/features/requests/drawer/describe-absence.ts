import { formatPlural } from '../../../lib/format/count.ts';
import type { BodySetting } from '../../../lib/trpc.ts';

const DAY_MS = 86_400_000;

/** Why nothing is stored of a request that is over. */
export function describeAbsence(startedAt: string, setting: BodySetting, nowMs: number): string {
  if (setting === null) return 'Not stored: this account keeps no bodies.';
  const startedAtMs = new Date(startedAt).getTime();
  if (startedAtMs < new Date(setting.since).getTime())
    return 'Not stored: the request is from before this account kept bodies.';
  if (startedAtMs < nowMs - setting.retentionDays * DAY_MS)
    return `Deleted: this account keeps bodies for ${formatPlural(setting.retentionDays, 'day')}.`;
  return 'Not stored: its body never arrived in full, or the gateway had too much to store at that moment.';
}
