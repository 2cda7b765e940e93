import { asObject, type JsonObject } from '../json/parse-object.ts';
import { findUsage } from '../usage/find-usage.ts';
import { countOutputToolCalls } from '../usage/read-tool-calls.ts';
import { readUsage } from '../usage/read-usage.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import { withToolCalls } from '../usage/with-tool-calls.ts';

/**
 * Reads the usage of a response (https://platform.openai.com/docs/api-reference/responses/object), or of an event that
 * carries one. Calls of hosted tools are counted from its output: usage does not report them.
 * @param known what earlier events of the stream reported
 * @returns null if the provider reported none
 */
export function decodeOpenAiResponsesUsage(
  body: JsonObject,
  known: UsageReport | null = null,
): UsageReport | null {
  const usage = findUsage(body);
  const report = usage === null ? null : readUsage(usage, known);
  const response = asObject(body['response']) ?? body;
  return withToolCalls(report, countOutputToolCalls(response['output']));
}
