import {
  MEDIA_COUNTS,
  NO_USAGE,
  type TokenUsage,
  type UsageExtras,
  type UsageIteration,
} from '@tollgate/core/money/money';
import { SERVER_TOOLS } from '@tollgate/core/money/rates/rate-need';
import { boundName } from '@tollgate/core/requests/storable-name';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { UsageReport } from './usage-report.ts';

/** More than any request has. Of a longer list the rest is added up by model, and the usage is marked as estimated. */
const MAX_ITERATIONS = 64;
/** Iterations of a longer list that stay on their own. */
const MAX_OWN = 32;

interface Iterations {
  readonly iterations: UsageIteration[];
  isExact: boolean;
}

const NONE: Readonly<Iterations> = { iterations: [], isExact: true };

/**
 * Reads Anthropic's `usage.iterations`. Top-level counts hold only the sampling that wrote the message: compaction is
 * reported separately (https://platform.claude.com/docs/en/build-with-claude/compaction), and so is an advisor, with the
 * model that it is billed as. Each is a separate request, and only its input decides whether it is long. After a fallback,
 * the usage of the declined model is an iteration of type `message` with its name.
 */
export function readIterations(
  raw: JsonObject,
  read: (usage: JsonObject) => UsageReport,
): Readonly<Iterations> {
  if (!Array.isArray(raw['iterations'])) return NONE;
  const listed: unknown[] = raw['iterations'];
  const found: Iterations = { iterations: [], isExact: true };
  const entries = listed.map(asObject);
  const fellBack = entries.some((entry) => entry?.['type'] === 'fallback_message');
  for (const entry of entries) {
    if (entry === null || isTopLevel(entry, fellBack)) continue;
    // An iteration has no nested iterations.
    const { usage, isExact } = read({ ...entry, iterations: null });
    found.isExact &&= isExact;
    found.iterations.push({ model: getModel(entry), usage });
  }
  if (found.iterations.length <= MAX_ITERATIONS) return found;
  return { iterations: addUpRest(found.iterations), isExact: false };
}

/** The name as it is stored, so that a stored report decodes to what was billed. */
function getModel({ model }: JsonObject): string | null {
  const name = typeof model === 'string' ? boundName(model) : '';
  return name === '' ? null : name;
}

function isTopLevel({ type, model }: JsonObject, fellBack: boolean): boolean {
  if (type === 'fallback_message') return true;
  return type === 'message' || type === undefined ? !(fellBack && typeof model === 'string') : false;
}

/** Models beyond the limit count as the last model within it. */
function addUpRest(all: readonly UsageIteration[]): UsageIteration[] {
  const sums = new Map<string | null, UsageIteration>();
  let last: string | null = null;
  for (const { model, usage } of all.slice(MAX_OWN)) {
    const hasRoom = sums.has(model) || sums.size < MAX_ITERATIONS - MAX_OWN;
    if (hasRoom) last = model;
    const name = hasRoom ? model : last;
    sums.set(name, { model: name, usage: addUsage(sums.get(name)?.usage ?? NO_USAGE, usage) });
  }
  return [...all.slice(0, MAX_OWN), ...sums.values()];
}

function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  const extras = addExtras(one.extras, other.extras);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    cacheWrite1hTokens: one.cacheWrite1hTokens + other.cacheWrite1hTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(extras !== undefined && { extras }),
  };
}

function addExtras(one: UsageExtras | undefined, other: UsageExtras | undefined): UsageExtras | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const sum: UsageExtras = {};
  for (const { count } of MEDIA_COUNTS) {
    const tokens = (one[count] ?? 0) + (other[count] ?? 0);
    if (tokens > 0) sum[count] = tokens;
  }
  for (const tool of SERVER_TOOLS) {
    const calls = (one.toolCalls?.[tool] ?? 0) + (other.toolCalls?.[tool] ?? 0);
    if (calls > 0) sum.toolCalls = { ...sum.toolCalls, [tool]: calls };
  }
  return sum;
}
