import { parseJsonObject } from '../json/parse-object.ts';
import { readEvents } from '../sse/read-events.ts';
import type { StreamRules } from '../stream-rules.ts';
import type { UsageReport } from './usage-report.ts';

/**
 * Finds a report of the usage that comes after the end of a response.
 * @param events whole events, one character for each byte
 * @param known the report so far; null: none
 * @returns null: there is none that covers the whole response
 */
export function findLateReport(
  events: string,
  rules: StreamRules,
  known: UsageReport | null,
): UsageReport | null {
  let found: UsageReport | null = null;
  for (const { data, name } of readEvents(events)) {
    const event = parseJsonObject(data);
    if (event === null) continue;
    const { report, isFinal } = rules.readEvent(event, found ?? known, name);
    if (report !== null && isFinal) found = report;
  }
  return found;
}
