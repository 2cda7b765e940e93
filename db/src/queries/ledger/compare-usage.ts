import {
  MEDIA_COUNTS,
  type TokenUsage,
  type UsageExtras,
  type UsageIteration,
} from '@tollgate/core/money/money';
import { SERVER_TOOLS, type ServerTool } from '@tollgate/core/money/rates/rate-need';

/** Names of models are stored up to this length, in UTF-16 units. */
const STORED_NAME_LENGTH = 200;

type Count = readonly [name: string, stored: number | string, decoded: number | string];

/**
 * Compares the stored counts of a request with the counts in its provider's usage object. Some tool calls are
 * counted from the answer, because the provider does not report them: counts that the object lacks are not
 * compared.
 * @returns the counts that differ, as they should be and as they are; null: none
 */
export function compareUsage(
  stored: TokenUsage,
  decoded: TokenUsage,
): { expected: string; actual: string } | null {
  const [one, other] = [withOwnRequests(stored), withOwnRequests(decoded)];
  const counts = [
    ...tokenCounts('', one, other),
    ...extraCounts(stored.extras, decoded.extras),
    ...toolCounts(stored.extras, decoded.extras),
    ...iterationCounts(one.extras?.iterations ?? [], other.extras?.iterations ?? []),
  ];
  const different = counts.filter(([, left, right]) => left !== right);
  if (different.length === 0) return null;
  return {
    expected: different.map(([name, , value]) => `${name} ${value}`).join(', '),
    actual: different.map(([name, value]) => `${name} ${value}`).join(', '),
  };
}

function tokenCounts(prefix: string, stored: TokenUsage, decoded: TokenUsage): Count[] {
  return [
    [`${prefix}input`, stored.inputTokens, decoded.inputTokens],
    [`${prefix}cache read`, stored.cacheReadTokens, decoded.cacheReadTokens],
    [`${prefix}cache write`, stored.cacheWriteTokens, decoded.cacheWriteTokens],
    [`${prefix}cache write (1 h)`, stored.cacheWrite1hTokens, decoded.cacheWrite1hTokens],
    [`${prefix}output`, stored.outputTokens, decoded.outputTokens],
  ];
}

/** Adds up the requests of the same model: earlier releases stored them as one. */
function withOwnRequests(usage: TokenUsage): TokenUsage {
  const all = usage.extras?.iterations ?? [];
  const own = all.filter(({ model }) => model === null);
  if (own.length === 0) return usage;
  const sum = (count: 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | CacheWrites) =>
    own.reduce((total, iteration) => total + iteration.usage[count], usage[count]);
  return {
    inputTokens: sum('inputTokens'),
    cacheReadTokens: sum('cacheReadTokens'),
    cacheWriteTokens: sum('cacheWriteTokens'),
    cacheWrite1hTokens: sum('cacheWrite1hTokens'),
    outputTokens: sum('outputTokens'),
    extras: { ...usage.extras, iterations: all.filter(({ model }) => model !== null) },
  };
}

type CacheWrites = 'cacheWriteTokens' | 'cacheWrite1hTokens';

function extraCounts(stored: UsageExtras = {}, decoded: UsageExtras = {}, prefix = ''): Count[] {
  return MEDIA_COUNTS.map(({ count, tokenClass }) => [
    `${prefix}${tokenClass.replace('_', ' ')}`,
    stored[count] ?? 0,
    decoded[count] ?? 0,
  ]);
}

function toolCounts(stored: UsageExtras = {}, decoded: UsageExtras = {}, prefix = ''): Count[] {
  return SERVER_TOOLS.flatMap((tool): Count[] => {
    const calls = decoded.toolCalls?.[tool] ?? 0;
    return calls === 0 ? [] : [[`${prefix}${tool} calls`, getCalls(stored, tool), calls]];
  });
}

/** Searches are stored as requested. */
function getCalls({ toolCalls }: UsageExtras, tool: ServerTool): number {
  const preview = tool === 'web_search' ? (toolCalls?.web_search_preview ?? 0) : 0;
  return (toolCalls?.[tool] ?? 0) + preview;
}

function iterationCounts(stored: readonly UsageIteration[], decoded: readonly UsageIteration[]): Count[] {
  const counts: Count[] = [['iterations', stored.length, decoded.length]];
  for (const [at, one] of stored.entries()) {
    const other = decoded[at];
    if (other === undefined) continue;
    const name = `iteration ${at + 1} `;
    counts.push(
      [`${name}model`, one.model ?? '', (other.model ?? '').slice(0, STORED_NAME_LENGTH)],
      ...tokenCounts(name, one.usage, other.usage),
      ...extraCounts(one.usage.extras, other.usage.extras, name),
      ...toolCounts(one.usage.extras, other.usage.extras, name),
    );
  }
  return counts;
}
