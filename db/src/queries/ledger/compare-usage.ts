import type { TokenUsage, UsageExtras, UsageIteration } from '@tollgate/core/money';
import { SERVER_TOOLS } from '@tollgate/core/rates/rate-need';

/** Names of models are stored up to this length, in UTF-16 units. */
const STORED_NAME_LENGTH = 200;

type Count = readonly [name: string, stored: number | string, decoded: number | string];

/**
 * Compares the stored counts of a request with those that its provider's usage object decodes to. Some tool calls are
 * counted from the answer, because the provider does not report them: those that the object does not count are not
 * compared.
 * @returns the counts that differ, as they should be and as they are; null: none
 */
export function compareUsage(
  stored: TokenUsage,
  decoded: TokenUsage,
): { expected: string; actual: string } | null {
  const counts = [
    ...tokenCounts('', stored, decoded),
    ...extraCounts(stored.extras, decoded.extras),
    ...toolCounts(stored.extras, decoded.extras),
    ...iterationCounts(stored.extras?.iterations ?? [], decoded.extras?.iterations ?? []),
  ];
  const different = counts.filter(([, one, other]) => one !== other);
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

function extraCounts(stored: UsageExtras = {}, decoded: UsageExtras = {}): Count[] {
  return [
    ['audio input', stored.audioInputTokens ?? 0, decoded.audioInputTokens ?? 0],
    ['audio output', stored.audioOutputTokens ?? 0, decoded.audioOutputTokens ?? 0],
    ['image input', stored.imageInputTokens ?? 0, decoded.imageInputTokens ?? 0],
    ['image output', stored.imageOutputTokens ?? 0, decoded.imageOutputTokens ?? 0],
  ];
}

function toolCounts(stored: UsageExtras = {}, decoded: UsageExtras = {}): Count[] {
  return SERVER_TOOLS.flatMap((tool): Count[] => {
    const calls = decoded.toolCalls?.[tool] ?? 0;
    return calls === 0 ? [] : [[`${tool} calls`, stored.toolCalls?.[tool] ?? 0, calls]];
  });
}

function iterationCounts(stored: readonly UsageIteration[], decoded: readonly UsageIteration[]): Count[] {
  const counts: Count[] = [['iterations', stored.length, decoded.length]];
  for (const [at, one] of stored.entries()) {
    const other = decoded[at];
    if (other === undefined) continue;
    const name = `iteration ${at + 1} `;
    counts.push(
      [`${name}model`, one.model, other.model.slice(0, STORED_NAME_LENGTH)],
      ...tokenCounts(name, one.usage, other.usage),
    );
  }
  return counts;
}
