import type { AssistantPart } from '@tollgate/core/completion/content';
import type { BlockStart, CompletionEvent } from '@tollgate/core/completion/events';
import type {
  CompletionChoice,
  CompletionResponse,
  CompletionUsage,
  FinishReason,
} from '@tollgate/core/completion/response';
import fc from 'fast-check';
import {
  arbitraryAssistantPart,
  arbitraryName,
  arbitraryProse,
  arbitraryRecord,
  orNull,
  type Fields,
} from './arbitrary-completion-content.ts';

const count = fc.nat(1_000_000);

/** Output tokens include reasoning. */
export const arbitraryUsage = (fields: Fields<CompletionUsage> = {}): fc.Arbitrary<CompletionUsage> =>
  arbitraryRecord<CompletionUsage>(
    {
      inputTokens: count,
      cacheReadTokens: count,
      cacheWriteTokens: count,
      outputTokens: count,
      reasoningTokens: orNull(count),
      cacheWrite1hTokens: count,
    },
    fields,
  ).map((usage) => ({
    ...usage,
    reasoningTokens:
      usage.reasoningTokens === null ? null : Math.min(usage.reasoningTokens, usage.outputTokens),
  }));

export const arbitraryFinish: fc.Arbitrary<FinishReason> = fc.oneof(
  fc.record({
    type: fc.constantFrom(
      'stop' as const,
      'length' as const,
      'tool_calls' as const,
      'content_filter' as const,
      'refusal' as const,
      'pause' as const,
      'context_length' as const,
    ),
  }),
  fc.record({ type: fc.constant('stop_sequence' as const), sequence: orNull(arbitraryProse) }),
);

export const arbitraryChoice = (fields: Fields<CompletionChoice> = {}): fc.Arbitrary<CompletionChoice> =>
  arbitraryRecord<CompletionChoice>(
    {
      content: fc.array(arbitraryAssistantPart, { maxLength: 4 }).map(withOwnCallIds),
      finish: arbitraryFinish,
    },
    fields,
  );

export const arbitraryCompletionResponse = (
  fields: Fields<CompletionResponse> = {},
): fc.Arbitrary<CompletionResponse> =>
  arbitraryRecord<CompletionResponse>(
    {
      id: arbitraryName,
      model: arbitraryName,
      createdAt: orNull(fc.nat()),
      choices: fc.array(arbitraryChoice(), { minLength: 1, maxLength: 2 }),
      usage: orNull(arbitraryUsage()),
      serviceTier: fc.constantFrom('default', 'priority', 'standard', null),
    },
    fields,
  );

/** Call ids are unique within a response. */
function withOwnCallIds(parts: AssistantPart[]): AssistantPart[] {
  const seen = new Set<string>();
  return parts.map((part, index) => {
    if (part.type !== 'tool_call') return part;
    const id = seen.has(part.id) ? `${part.id}_${index}` : part.id;
    seen.add(id);
    return { ...part, id };
  });
}

/** The text, cut at the given offsets, but never within a surrogate pair. */
function cut(text: string, cuts: readonly number[]): string[] {
  const characters = Array.from(text);
  const places = [...new Set(cuts.map((at) => at % (characters.length + 1)))].toSorted((a, b) => a - b);
  return [...places, characters.length]
    .map((end, index) => characters.slice(index === 0 ? 0 : (places[index - 1] ?? 0), end).join(''))
    .filter((piece) => piece !== '');
}

function getStart(part: AssistantPart): BlockStart {
  switch (part.type) {
    case 'text':
    case 'thinking':
    case 'refusal':
      return { type: part.type };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: part.data };
    case 'tool_call':
      return { type: 'tool_call', id: part.id, name: part.name };
    case 'opaque':
      return { type: 'opaque', part };
  }
}

/** The events of one part, without its start and end. */
function getDeltas(part: AssistantPart, block: number, cuts: readonly number[]): CompletionEvent[] {
  const at = { choice: 0, block };
  switch (part.type) {
    case 'text':
      return [
        ...part.citations.map((citation) => ({ type: 'citation' as const, ...at, citation })),
        ...cut(part.text, cuts).map((text) => ({ type: 'text_delta' as const, ...at, text })),
      ];
    case 'refusal':
      return cut(part.text, cuts).map((text) => ({ type: 'text_delta', ...at, text }));
    case 'thinking':
      return [
        ...cut(part.text, cuts).map((text) => ({ type: 'thinking_delta' as const, ...at, text })),
        ...(part.signature === null
          ? []
          : [{ type: 'signature' as const, ...at, signature: part.signature }]),
      ];
    case 'tool_call':
      return cut(part.arguments, cuts).map((json) => ({ type: 'arguments_delta', ...at, json }));
    case 'redacted_thinking':
    case 'opaque':
      return [];
  }
}

/** The events of a choice as in a stream: blocks one after another, adjacent tool calls interleaved. */
function mixBlocks(content: readonly AssistantPart[], cuts: readonly number[], order: readonly number[]) {
  const events: CompletionEvent[] = [];
  let block = 0;
  while (block < content.length) {
    let end = block + 1;
    if (content[block]?.type === 'tool_call') while (content[end]?.type === 'tool_call') end += 1;
    const lanes = content.slice(block, end).map((part, offset) => getDeltas(part, block + offset, cuts));
    const isParallel = lanes.length > 1;
    content.slice(block, end).forEach((part, offset) => {
      events.push({ type: 'block_start', choice: 0, block: block + offset, start: getStart(part) });
    });
    for (let turn = 0; lanes.some((lane) => lane.length > 0); turn += 1) {
      const waiting = lanes.filter((lane) => lane.length > 0);
      const next = waiting[(isParallel ? (order[turn % order.length] ?? 0) : 0) % waiting.length]?.shift();
      if (next !== undefined) events.push(next);
    }
    for (let at = block; at < end; at += 1) events.push({ type: 'block_end', choice: 0, block: at });
    block = end;
  }
  return events;
}

/** A response of one choice and an equivalent stream: deltas cut anywhere, parallel tool calls interleaved. */
export function arbitraryStream(
  response: fc.Arbitrary<CompletionResponse>,
): fc.Arbitrary<{ response: CompletionResponse; events: CompletionEvent[] }> {
  const numbers = fc.array(fc.nat(40), { minLength: 1, maxLength: 6 });
  return fc.tuple(response, numbers, numbers, fc.boolean()).map(([whole, cuts, order, reportsEarly]) => {
    const [choice] = whole.choices;
    const { id, model, createdAt, usage } = whole;
    const events: CompletionEvent[] = [
      { type: 'start', id, model, createdAt, usage: reportsEarly ? usage : null },
      ...(choice?.logprobs === undefined
        ? []
        : [{ type: 'logprobs' as const, choice: 0, tokens: choice.logprobs }]),
      ...mixBlocks(choice?.content ?? [], cuts, order),
      ...(choice === undefined ? [] : [{ type: 'finish' as const, choice: 0, reason: choice.finish }]),
      ...(usage === null ? [] : [{ type: 'usage' as const, usage }]),
      { type: 'end' },
    ];
    return { response: whole, events };
  });
}
