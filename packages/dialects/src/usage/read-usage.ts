import {
  getInputTokens,
  MEDIA_COUNTS,
  type MediaCount,
  type TokenUsage,
  type UsageExtras,
} from '@tollgate/core/money/money';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { CountReader } from './read-count.ts';
import { readIterations } from './read-iterations.ts';
import { readPlainUsage } from './read-plain-usage.ts';
import { readPrompt } from './read-prompt.ts';
import { readToolCalls } from './read-tool-calls.ts';
import type { UsageReport } from './usage-report.ts';

const NOTHING: UsageExtras = {};

/**
 * Reads a usage object of any dialect by the names of its members, since providers mix them. OpenAI, Gemini and their
 * imitators count cached input inside the prompt; Anthropic (`input_tokens` and `cache_read_input_tokens`) and
 * Bedrock (`inputTokens` and `cacheReadInputTokens`) count it apart. Counts that contradict each other are not exact: the
 * most expensive reading is taken, and input of which no reading can be true is left to be estimated.
 * @param known what an earlier event of the same stream reported: later counts replace earlier ones, members that are
 *   missing, null or fall back to 0 do not, nor does output that falls (https://docs.claude.com/en/docs/build-with-claude/streaming)
 */
export function readUsage(given: JsonObject, known: UsageReport | null = null): UsageReport {
  return (known === null ? readPlainUsage(given) : null) ?? readMixedUsage(given, known);
}

function readMixedUsage(given: JsonObject, known: UsageReport | null): UsageReport {
  const raw = known === null ? given : mergeUsage(known.raw, given);
  const counts = new CountReader();
  const read = readPrompt(raw, counts, given);
  const inDetails = asObject(raw['prompt_tokens_details']) ?? asObject(raw['input_tokens_details']);
  const outDetails = asObject(raw['completion_tokens_details']) ?? asObject(raw['output_tokens_details']);
  const reasoningTokens = new CountReader().read(
    outDetails?.['reasoning_tokens'],
    outDetails?.['thinking_tokens'],
    raw['reasoning_tokens'],
    raw['reasoningTokens'],
    raw['thoughtsTokenCount'],
  );
  const reported = readCompletion(raw, counts, {
    promptTokens: read.promptTokens,
    reasoning: reasoningTokens,
  });
  const mediaIn = readMedia('input', inDetails, counts);
  const mediaOut = readMedia('output', outDetails, counts);
  if (mediaIn.tokens > getInputTokens({ ...read, outputTokens: 0 })) counts.noteContradiction();
  if (reported !== null && mediaOut.tokens > reported) counts.noteContradiction();
  const written = reported === null ? null : Math.max(reported, mediaOut.tokens);
  const toolCalls = readToolCalls(raw, counts);
  const more = readIterations(raw, readUsage);
  const hasExtras = mediaIn.tokens + mediaOut.tokens > 0 || toolCalls !== null || more.iterations.length > 0;
  const extras: UsageExtras = hasExtras
    ? {
        ...atMost(mediaIn, read.inputTokens),
        ...(written !== null && mediaOut.extras),
        ...(toolCalls !== null && { toolCalls }),
        ...(more.iterations.length > 0 && { iterations: more.iterations }),
      }
    : NOTHING;
  const usage: TokenUsage = {
    inputTokens: read.inputTokens - Math.min(mediaIn.tokens, read.inputTokens),
    cacheReadTokens: read.cacheReadTokens,
    cacheWriteTokens: read.cacheWriteTokens,
    cacheWrite1hTokens: read.cacheWrite1hTokens,
    outputTokens: written === null ? 0 : written - mediaOut.tokens,
  };
  if (Object.keys(extras).length > 0) usage.extras = extras;
  const hasFallen = known !== null && (known.hasFallen === true || falls(known.raw, given));
  const report: UsageReport = {
    usage,
    reasoningTokens,
    hasInput: read.isTold,
    hasOutput: written !== null,
    isExact: counts.isExact && more.isExact && !hasFallen,
    raw,
  };
  if (hasFallen) report.hasFallen = true;
  if (!report.hasInput || !report.hasOutput) report.totalTokens = getTotal(raw);
  return report;
}

/** Tokens of audio and images, of one direction. */
interface Media {
  extras: Partial<Record<MediaCount, number>>;
  tokens: number;
}

/** The member of the details that carries each count. */
const DETAIL_MEMBERS: Readonly<Record<MediaCount, string>> = {
  audioInputTokens: 'audio_tokens',
  imageInputTokens: 'image_tokens',
  audioOutputTokens: 'audio_tokens',
  imageOutputTokens: 'image_tokens',
};

const NO_MEDIA: Media = { extras: {}, tokens: 0 };

function readMedia(direction: 'input' | 'output', details: JsonObject | null, counts: CountReader): Media {
  if (details === null) return NO_MEDIA;
  const media: Media = { extras: {}, tokens: 0 };
  for (const { count, direction: own } of MEDIA_COUNTS) {
    const tokens = own === direction ? (counts.read(details[DETAIL_MEMBERS[count]]) ?? 0) : 0;
    if (tokens === 0) continue;
    media.extras[count] = tokens;
    media.tokens += tokens;
  }
  return media;
}

/** Limits media to the tokens that are not cached; earlier counts take precedence. */
function atMost({ extras, tokens }: Media, max: number): Media['extras'] {
  if (tokens <= max) return extras;
  const limited: Media['extras'] = {};
  let left = max;
  for (const { count } of MEDIA_COUNTS) {
    const own = Math.min(extras[count] ?? 0, left);
    left -= own;
    if (own > 0) limited[count] = own;
  }
  return limited;
}

export const COMPLETION_MEMBERS = [
  'completion_tokens',
  'output_tokens',
  'completionTokens',
  'outputTokens',
  'candidatesTokenCount',
] as const;

const OUTPUT_COUNTS: ReadonlySet<string> = new Set(COMPLETION_MEMBERS);

/**
 * xAI and Gemini leave reasoning out of the completion and count it in the total.
 * @returns null: not reported
 */
function readCompletion(
  raw: JsonObject,
  counts: CountReader,
  { promptTokens, reasoning }: { promptTokens: number | null; reasoning: number | null },
): number | null {
  let completion: number | null = null;
  for (const name of COMPLETION_MEMBERS) {
    const count = raw[name] === undefined ? null : counts.read(raw[name]);
    if (count === null) continue;
    // Two counts that are not 0 and differ.
    if (completion !== null && count > 0 && completion > 0 && count !== completion)
      counts.noteContradiction();
    completion = Math.max(completion ?? 0, count);
  }
  const total = getTotal(raw, counts);
  let written = completion;
  if (total !== null && total > 0 && promptTokens !== null) {
    const beyondPrompt = total - promptTokens;
    if (completion === null) written = beyondPrompt >= 0 ? beyondPrompt : null;
    else {
      if (beyondPrompt < completion) counts.noteContradiction();
      written = Math.max(completion, beyondPrompt);
    }
  }
  if (written === null || reasoning === null || reasoning <= written) return written;
  // Reasoning is part of the output. If it is larger it was counted apart, and billed, as by the Vercel gateway.
  counts.noteContradiction();
  return (completion ?? 0) + reasoning;
}

function getTotal(raw: JsonObject, counts = new CountReader()): number | null {
  return counts.read(raw['total_tokens'], raw['totalTokens'], raw['totalTokenCount']);
}

/** True if a count of output, which only grows in a stream, is less than an earlier event reported. */
function falls(known: JsonObject, given: JsonObject): boolean {
  return COMPLETION_MEMBERS.some((name) => isLess(given[name], known[name]));
}

function isLess(given: unknown, known: unknown): boolean {
  const count = new CountReader().read(given);
  return count !== null && count > 0 && count < (new CountReader().read(known) ?? 0);
}

/** Members of an earlier event stay if the later one lacks them, and counts of output if they would fall. */
export function mergeUsage(known: JsonObject, given: JsonObject): JsonObject {
  const merged: JsonObject = { ...known };
  for (const [name, value] of Object.entries(given)) {
    // Assigned, this name would set the prototype.
    if (value === null || value === undefined || name === '__proto__') continue;
    if (value === 0 && typeof known[name] === 'number') continue;
    if (OUTPUT_COUNTS.has(name) && isLess(value, known[name])) continue;
    merged[name] = value;
  }
  return merged;
}
