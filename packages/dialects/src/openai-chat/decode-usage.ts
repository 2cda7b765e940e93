import { asObject, type JsonObject } from '../json/parse-object.ts';
import { findUsage } from '../usage/find-usage.ts';
import { citesWeb } from '../usage/read-tool-calls.ts';
import { readUsage } from '../usage/read-usage.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import { withToolCalls } from '../usage/with-tool-calls.ts';

/**
 * Reads the usage of a completion or a chunk. OpenAI does not count the searches of its search models: an answer that
 * cites the web had one (https://platform.openai.com/docs/pricing).
 * @param known what earlier chunks of the stream reported
 * @returns null if the provider reported none
 */
export function decodeOpenAiUsage(body: JsonObject, known: UsageReport | null = null): UsageReport | null {
  const usage = findUsage(body);
  const report = usage === null ? null : readUsage(usage, known);
  const choices: unknown[] = Array.isArray(body['choices']) ? body['choices'] : [];
  const cites = choices.some((choice) => citesWeb(asObject(choice)));
  return withToolCalls(report, cites ? { web_search: 1 } : null);
}
