import type { Citation, RedactedThinkingPart, ThinkingPart } from '@tollgate/core/completion/content';
import type { BlockStart } from '@tollgate/core/completion/events';
import type { TokenLogprob } from '@tollgate/core/completion/response';
import { getLabel } from '../json/get-label.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { writeJson, WrittenList, type WrittenJson } from '../json/written-json.ts';
import { encodeAnnotations } from './annotations.ts';
import { encodeEventLogprobs, encodeLogprobs } from './logprobs.ts';
import type { BlockPlace, OpenItem, StreamBlock } from './open-block.ts';
import { openOwnCall } from './stream-own-call.ts';
import { callItem, messageContent, messageItem } from './output-item.ts';
import { encodeReasoningItem } from './reasoning-item.ts';

/** Opens a block. @returns null for one that this dialect cannot hold */
export function openBlock(start: BlockStart, place: BlockPlace): StreamBlock | null {
  switch (start.type) {
    case 'text':
    case 'refusal':
      return openSaid(start.type, place);
    case 'tool_call':
      return openCall(start, place);
    case 'thinking':
      return openReasoning({ type: 'thinking', text: '', signature: null }, place);
    case 'redacted_thinking':
      return openReasoning({ ...start }, place);
    case 'opaque': {
      const { dialect, value } = start.part;
      if (dialect !== 'openai-responses') return null;
      const item = openItem({ ...value }, place, () => ({ ...value }));
      return { item, push: () => undefined, end: () => undefined };
    }
  }
}

function openItem(
  added: JsonObject,
  { events, index, beforeItem }: BlockPlace,
  close: OpenItem['close'],
): OpenItem {
  beforeItem();
  events.event('response.output_item.added', { output_index: index, item: added });
  return { index, id: getLabel(added['id']), openBlocks: 1, content: [], parts: 0, close };
}

function openMessage(place: BlockPlace): OpenItem {
  const id = place.messageId ?? `msg_${place.stem}_${place.index}`;
  const item = openItem(messageItem(id, 'in_progress', []), place, (status) =>
    messageItem(id, status, item.content),
  );
  item.openBlocks = 0;
  return item;
}

function openSaid(type: 'text' | 'refusal', place: BlockPlace): StreamBlock {
  const { events } = place;
  const item = place.message ?? openMessage(place);
  const contentIndex = item.parts;
  item.openBlocks += 1;
  item.parts += 1;
  let said = '';
  const logprobs = new WrittenList();
  const eventLogprobs = new WrittenList();
  const citations: Citation[] = [];
  const at = { item_id: item.id, output_index: item.index, content_index: contentIndex };
  const getPart = (text: string): JsonObject =>
    messageContent(type === 'refusal' ? { type, text } : { type, text, citations }, logprobs.all);
  events.event('response.content_part.added', { ...at, part: getPart('') });
  const name = type === 'text' ? 'response.output_text' : 'response.refusal';
  const withLogprobs = (written: WrittenJson) => (type === 'text' ? { ...at, logprobs: written } : at);
  const getMembers = (tokens: readonly TokenLogprob[]) => {
    logprobs.add(encodeLogprobs(tokens));
    return writeJson(withLogprobs(eventLogprobs.add(encodeEventLogprobs(tokens)))).slice(1, -1);
  };
  const plainMembers = getMembers([]);
  return {
    item,
    push(delta, tokens) {
      if (delta.type === 'citation') citations.push(delta.citation);
      if (delta.type !== 'text_delta') return;
      said += delta.text;
      events.delta(`${name}.delta`, tokens.length === 0 ? plainMembers : getMembers(tokens), delta.text);
    },
    end() {
      for (const [index, annotation] of encodeAnnotations(citations, said.length).entries())
        events.event('response.output_text.annotation.added', { ...at, annotation_index: index, annotation });
      const whole = type === 'text' ? { text: said } : { refusal: said };
      events.event(`${name}.done`, { ...withLogprobs(eventLogprobs.all), ...whole });
      const part = getPart(said);
      item.content[contentIndex] = part;
      events.event('response.content_part.done', { ...at, part });
    },
  };
}

function openCall(start: Extract<BlockStart, { type: 'tool_call' }>, place: BlockPlace): StreamBlock {
  const { events, stem, index, findTool } = place;
  const id = `fc_${stem}_${index}`;
  const call = { id: start.id === '' ? `call_${stem}_${index}` : start.id, name: start.name };
  const tool = findTool(start.name);
  if (tool !== null && tool.kind !== 'function') return openOwnCall({ ...call, itemId: id }, tool, place);
  let text = '';
  const item = openItem(callItem(id, 'in_progress', { ...call, arguments: '' }, tool), place, (status) =>
    callItem(id, status, { ...call, arguments: text }, tool),
  );
  const at = { item_id: id, output_index: index };
  const deltaAt = JSON.stringify(at).slice(1, -1);
  return {
    item,
    push(delta) {
      if (delta.type !== 'arguments_delta') return;
      text += delta.json;
      events.delta('response.function_call_arguments.delta', deltaAt, delta.json);
    },
    end: () =>
      events.event('response.function_call_arguments.done', {
        ...at,
        name: tool?.name ?? call.name,
        arguments: text,
      }),
  };
}

function openReasoning(reasoning: ThinkingPart | RedactedThinkingPart, place: BlockPlace): StreamBlock {
  const { events, stem, index } = place;
  const id = `rs_${stem}_${index}`;
  const item = openItem({ id, type: 'reasoning', summary: [] }, place, () =>
    encodeReasoningItem(reasoning, id),
  );
  const at = { item_id: id, output_index: index, summary_index: 0 };
  const deltaAt = JSON.stringify(at).slice(1, -1);
  return {
    item,
    push(delta) {
      if (reasoning.type !== 'thinking') return;
      if (delta.type === 'signature') reasoning.signature = delta.signature;
      if (delta.type !== 'thinking_delta') return;
      if (reasoning.text === '')
        events.event('response.reasoning_summary_part.added', {
          ...at,
          part: { type: 'summary_text', text: '' },
        });
      reasoning.text += delta.text;
      events.delta('response.reasoning_summary_text.delta', deltaAt, delta.text);
    },
    end() {
      if (reasoning.type !== 'thinking' || reasoning.text === '') return;
      const { text } = reasoning;
      events.event('response.reasoning_summary_text.done', { ...at, text });
      events.event('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } });
    },
  };
}
