import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { checkChatCompletionChunk, checkChatUsage, checkOpenAiError } from './check-chat-completion.ts';
import { checkIds } from './check-counts.ts';
import { parseData, parseSse } from './parse-sse.ts';

type Chunk = ChatCompletionChunk;
type Choice = Chunk['choices'][number];

export interface StreamExpectation {
  /** `whole`: it ends as the dialect requires; `error`: it ends with the dialect's error event. */
  ending: 'whole' | 'error';
  /** Usage was requested; chat streams omit it otherwise. Default: true. */
  wantsUsage?: boolean;
}

/**
 * Checks a whole stream of chat completion chunks against the OpenAI SDK's types and the order that clients expect: one
 * id, a role first, calls opened before their arguments, one finish per choice, usage last.
 * @returns the error messages; empty: it conforms
 */
export function checkChatCompletionStream(body: string, expected: StreamExpectation): string[] {
  const { events, violations } = parseSse(body);
  const last = events.at(-1);
  const parsed = events.slice(0, -1).map(({ data }) => parseData(data));
  if (events.some(({ name }) => name !== null)) violations.push('the stream: names events');
  if (expected.ending === 'whole') {
    if (last?.data !== '[DONE]') violations.push('the stream: must end with [DONE]');
  } else
    violations.push(
      ...checkOpenAiError(parseData(last?.data ?? '')).map((violation) => `the end: ${violation}`),
    );
  for (const [place, chunk] of parsed.entries())
    violations.push(...checkChatCompletionChunk(chunk).map((violation) => `chunk ${place}: ${violation}`));
  if (violations.length > 0) return violations;
  return checkOrder(
    parsed.map((chunk) => chunk as unknown as Chunk),
    expected,
  );
}

function checkOrder(chunks: readonly Chunk[], { ending, wantsUsage = true }: StreamExpectation): string[] {
  const violations: string[] = [];
  for (const member of ['id', 'created', 'model'] as const) {
    const values = new Set(chunks.map((chunk) => chunk[member]));
    if (values.size > 1) violations.push(`${member}: changes from chunk to chunk`);
    if (values.has('')) violations.push(`${member}: must not be empty`);
  }
  const spoken = chunks.filter((chunk) => chunk.choices.length > 0);
  const isLast = chunks.slice(spoken.length).every((chunk) => chunk.choices.length === 0);
  if (!isLast) violations.push('usage: its chunk must be the last');
  violations.push(...checkUsageChunks(chunks, { ending, wantsUsage }));
  const choices = new Map<number, Choice[]>();
  for (const choice of spoken.flatMap((chunk) => chunk.choices))
    choices.set(choice.index, [...(choices.get(choice.index) ?? []), choice]);
  if (ending === 'whole' && choices.size === 0) violations.push('choices: there are none');
  for (const [index, deltas] of choices) {
    if (index >= choices.size) violations.push(`choices: ${index} is out of place`);
    violations.push(...checkChoice(deltas, ending).map((violation) => `choice ${index}: ${violation}`));
  }
  return violations;
}

function checkUsageChunks(chunks: readonly Chunk[], expected: Required<StreamExpectation>): string[] {
  const reports = chunks.filter((chunk) => chunk.usage !== null && chunk.usage !== undefined);
  const [report] = reports;
  if (!expected.wantsUsage)
    return chunks.some((chunk) => 'usage' in chunk) ? ['usage: was not requested'] : [];
  if (chunks.some((chunk) => !('usage' in chunk))) return ['usage: must be null until the last chunk'];
  if (report?.usage === null || report?.usage === undefined)
    return expected.ending === 'whole' ? ['usage: must be there'] : [];
  if (reports.length > 1) return ['usage: must be reported once'];
  return [
    ...(report.choices.length > 0 ? ['usage: must come in a chunk without choices'] : []),
    ...checkChatUsage(report.usage),
  ];
}

function checkChoice(deltas: readonly Choice[], ending: StreamExpectation['ending']): string[] {
  const violations: string[] = [];
  const roles = deltas.map(({ delta }) => delta.role);
  if (roles[0] !== 'assistant') violations.push('must start with the role');
  if (roles.slice(1).some((role) => role !== undefined)) violations.push('repeats its role');
  const finishes = deltas.filter((choice) => choice.finish_reason !== null);
  if (ending === 'whole' && finishes.length !== 1) violations.push(`finishes ${finishes.length} times`);
  if (finishes.length > 0 && deltas.at(-1)?.finish_reason === null)
    violations.push('goes on after its finish');
  const calls: { id: string }[] = [];
  for (const call of deltas.flatMap(({ delta }) => delta.tool_calls ?? [])) {
    if (call.index === calls.length) {
      if (call.id === undefined || (call.function?.name ?? '') === '' || call.type !== 'function')
        violations.push(`call ${call.index} opens without id, type and name`);
      calls.push({ id: call.id ?? '' });
    } else if (call.index > calls.length) violations.push(`call ${call.index} comes out of order`);
    else if (call.id !== undefined || call.function?.name !== undefined || call.type !== undefined)
      violations.push(`call ${call.index} is repeated`);
  }
  if (finishes[0]?.finish_reason === 'tool_calls' && calls.length === 0)
    violations.push('ends with tool_calls without a call');
  return [...violations, ...checkIds('tool_calls', calls)];
}
