import { NO_USAGE, type TokenUsage } from '@tollgate/core/money';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { UsageReport } from './usage-report.ts';

/** More than any request has; the rest is left out, and the usage is marked as estimated. */
const MAX_ITERATIONS = 64;

interface Iterations {
  /** Of the requested model, not counted at the top level. */
  plain: TokenUsage;
  iterations: { model: string; usage: TokenUsage }[];
  isExact: boolean;
}

/**
 * Reads Anthropic's `usage.iterations`. Top-level counts hold only the sampling that wrote the message: compaction is
 * reported beside it (https://platform.claude.com/docs/en/build-with-claude/compaction), and so is an advisor, with the
 * model that it is billed as. After a fallback, what the declined model used is a `message` that names it.
 */
export function readIterations(raw: JsonObject, read: (usage: JsonObject) => UsageReport): Iterations {
  const listed: unknown[] = Array.isArray(raw['iterations']) ? raw['iterations'] : [];
  const found: Iterations = { plain: NO_USAGE, iterations: [], isExact: listed.length <= MAX_ITERATIONS };
  const entries = listed.slice(0, MAX_ITERATIONS).map(asObject);
  const fellBack = entries.some((entry) => entry?.['type'] === 'fallback_message');
  for (const entry of entries) {
    if (entry === null || isTopLevel(entry, fellBack)) continue;
    // An iteration has no iterations of its own.
    const { usage, isExact } = read({ ...entry, iterations: null });
    found.isExact &&= isExact;
    const { model } = entry;
    if (typeof model === 'string' && model !== '') found.iterations.push({ model, usage });
    else found.plain = addUsage(found.plain, usage);
  }
  return found;
}

function isTopLevel({ type, model }: JsonObject, fellBack: boolean): boolean {
  if (type === 'fallback_message') return true;
  return type === 'message' || type === undefined ? !(fellBack && typeof model === 'string') : false;
}

function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    cacheWrite1hTokens: one.cacheWrite1hTokens + other.cacheWrite1hTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}
