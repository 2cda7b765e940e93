import type { Buffer } from 'node:buffer';
import { closeJson } from '../json/close-json.ts';
import { asObject, parseJsonObject, type JsonObject } from '../json/parse-object.ts';
import { countOutputToolCalls } from './read-tool-calls.ts';
import { readAnyUsage } from './read-choice-usage.ts';
import { ToolTally } from './tool-tally.ts';
import type { UsageReport } from './usage-report.ts';
import { withToolCalls } from './with-tool-calls.ts';
import { writtenIn } from './written-in.ts';

export interface PartialAnswer {
  outputTokens: number;
  leastOutputTokens: number;
  /** null: no usage had come. */
  report: UsageReport | null;
  /** The calls of server tools that had come. */
  tools: ToolTally;
}

/**
 * Measures the beginning of a truncated answer of any dialect: the model's output, and its usage if that had come. Takes some
 * ten milliseconds per MiB.
 * @param bytes of the answer, or of its outline
 * @param last the last members of the answer, see `readLastMembers`; null: its end is unknown
 */
export function measurePartial(bytes: Buffer, last: JsonObject | null = null): PartialAnswer {
  const { text, openMember } = closeJson(bytes);
  const body = parseJsonObject(text, Infinity) ?? {};
  const { outputTokens, leastOutputTokens } = writtenIn(body);
  const tools = countTools(body);
  // Only the provider's own, complete usage counts.
  let report = readAnyUsage({ ...withoutMember(body, openMember), ...last });
  // The input that tools read is in the report, and so are Anthropic's calls; those of output items are not.
  if (report?.hasOutput === true) {
    tools.noteReported();
    report = withToolCalls(report, countOutputToolCalls(body['output']));
  }
  return { outputTokens, leastOutputTokens, report, tools };
}

function withoutMember(body: JsonObject, openMember: string | null): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== openMember));
}

function countTools(body: JsonObject): ToolTally {
  const tools = new ToolTally();
  for (const [index, block] of asList(body['content']).entries())
    tools.readEvent({ content_block: asObject(block), index });
  for (const [index, item] of asList(body['output']).entries())
    tools.readEvent({ item: asObject(item), output_index: index });
  return tools;
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
