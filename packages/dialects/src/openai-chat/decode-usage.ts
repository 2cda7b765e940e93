import { asObject, type JsonObject } from '../json/parse-object.ts';
import { readAnyUsage } from '../usage/read-choice-usage.ts';
import { citesWeb } from '../usage/read-tool-calls.ts';
import type { UsageReport } from '../usage/usage-report.ts';
import { withToolCalls } from '../usage/with-tool-calls.ts';

/**
 * Reads the usage of a completion or a chunk. OpenAI does not count the searches of its search models: an answer that
 * cites the web had one (https://platform.openai.com/docs/pricing).
 * @param known what earlier chunks of the stream reported
 * @returns null if the provider reported none
 */
export function decodeOpenAiUsage(body: JsonObject, known: UsageReport | null = null): UsageReport | null {
  const report = readAnyUsage(body, known);
  const choices: unknown[] = Array.isArray(body['choices']) ? body['choices'] : [];
  const cites = choices.some((choice) => citesWeb(asObject(choice)));
  return withToolCalls(report, cites ? { web_search: 1 } : null);
}
