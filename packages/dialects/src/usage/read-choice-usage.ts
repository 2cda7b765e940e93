import { asObject, type JsonObject } from '../json/parse-object.ts';
import { findUsage } from './find-usage.ts';
import { CountReader } from './read-count.ts';
import { COMPLETION_MEMBERS, mergeUsage, readUsage } from './read-usage.ts';
import type { UsageReport } from './usage-report.ts';

/**
 * Reads the usage of a response, a chunk or an event, in the choices if it is nowhere else (Moonshot's streams:
 * https://platform.moonshot.ai/docs/api/chat). Each choice counts its own output, and the input that all of them share.
 * @param known what earlier chunks of the stream reported
 * @returns null if the provider reported none
 */
export function readAnyUsage(body: JsonObject, known: UsageReport | null = null): UsageReport | null {
  const usage = findUsage(body);
  return usage === null ? readChoiceUsage(body['choices'], known) : readUsage(usage, known);
}

function readChoiceUsage(choices: unknown, known: UsageReport | null): UsageReport | null {
  if (!Array.isArray(choices)) return null;
  let byChoice: Record<number, JsonObject> | null = null;
  for (const given of choices) {
    const choice = asObject(given);
    const usage = asObject(choice?.['usage']);
    if (usage === null) continue;
    byChoice ??= { ...known?.byChoice };
    const index = typeof choice?.['index'] === 'number' ? choice['index'] : 0;
    const before = byChoice[index];
    byChoice[index] = before === undefined ? usage : mergeUsage(before, usage);
  }
  if (byChoice === null) return null;
  const all = Object.values(byChoice);
  const [first = {}] = all;
  const report = all.length === 1 ? readUsage(first, known) : readUsage(addUp(all));
  return { ...report, byChoice };
}

/** The output of all choices; of every other count the latest. */
function addUp(all: readonly JsonObject[]): JsonObject {
  const sum: JsonObject = Object.assign({}, ...all);
  delete sum['total_tokens'];
  for (const name of COMPLETION_MEMBERS) addMember(sum, name, all);
  for (const details of ['completion_tokens_details', 'output_tokens_details']) {
    const parts = all.map((usage) => asObject(usage[details])).filter((part) => part !== null);
    const added: JsonObject = {};
    for (const part of parts) for (const name of Object.keys(part)) addMember(added, name, parts);
    if (parts.length > 0) sum[details] = added;
  }
  return sum;
}

function addMember(sum: JsonObject, name: string, parts: readonly JsonObject[]): void {
  const counts = parts.flatMap((part) => new CountReader().read(part[name]) ?? []);
  if (counts.length > 0) sum[name] = counts.reduce((total, count) => total + count, 0);
}
