import type { JsonObject } from '../json/parse-object.ts';
import { findUsage } from '../usage/find-usage.ts';
import { readUsage } from '../usage/read-usage.ts';
import type { UsageReport } from '../usage/usage-report.ts';

/**
 * Reads the usage of a message, or of an event: `message_start` carries the input, `message_delta` the output. Counts of
 * `message_delta` are cumulative and may leave out what `message_start` reported.
 * @param known what earlier events of the stream reported
 * @returns null if the provider reported none
 */
export function decodeAnthropicUsage(body: JsonObject, known: UsageReport | null = null): UsageReport | null {
  const usage = findUsage(body);
  return usage === null ? null : readUsage(usage, known);
}
