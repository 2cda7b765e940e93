import type { BlockStart, CompletionEvent } from '@tollgate/core/completion/events';
import { asObject, parseJson, type JsonObject } from '../json/parse-object.ts';
import { decodeAssistantBlock } from './decode-assistant-block.ts';
import { decodeCitation, decodeCitations } from './decode-citation.ts';

interface OpenBlock {
  type: unknown;
  /** As `content_block_start` gave it. */
  opening: JsonObject;
  /** Its number among the canonical blocks; null: it is returned whole at its end. */
  block: number | null;
  /** Fragments of a JSON value that have come. */
  json: string;
}

/** Keeps the open blocks of a message stream and turns their events into canonical ones. */
export interface StreamBlocks {
  open(index: unknown, contentBlock: JsonObject): CompletionEvent[];
  delta(index: unknown, delta: JsonObject): CompletionEvent[];
  close(index: unknown): CompletionEvent[];
  closeAll(): CompletionEvent[];
  /** A block that opens and ends in one step. */
  whole(start: BlockStart, text: string): CompletionEvent[];
  readonly sawToolCall: boolean;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** No blocks yet. */
export function createStreamBlocks(): StreamBlocks {
  const blocks = new Map<unknown, OpenBlock>();
  let count = 0;
  let sawToolCall = false;
  const start = (opened: BlockStart): { block: number; event: CompletionEvent } => {
    const block = count;
    count += 1;
    return { block, event: { type: 'block_start', choice: 0, block, start: opened } };
  };

  function close(index: unknown): CompletionEvent[] {
    const found = blocks.get(index);
    blocks.delete(index);
    return found === undefined ? [] : getEnd(found, start);
  }

  return {
    open(index, contentBlock) {
      const type = contentBlock['type'];
      const events = close(index);
      const opened = getStart(contentBlock);
      sawToolCall ||= type === 'tool_use';
      if (opened === null) {
        blocks.set(index, { type, opening: contentBlock, block: null, json: '' });
        return events;
      }
      const { block, event } = start(opened);
      blocks.set(index, { type, opening: contentBlock, block, json: '' });
      return [...events, event, ...getContent(contentBlock, block)];
    },
    delta(index, delta) {
      const found = blocks.get(index);
      if (found === undefined) return [];
      if (delta['type'] === 'input_json_delta') {
        const json = text(delta['partial_json']);
        found.json += json;
        return json === '' || found.block === null
          ? []
          : [{ type: 'arguments_delta', choice: 0, block: found.block, json }];
      }
      return found.block === null ? [] : getDelta(delta, found.block);
    },
    close,
    closeAll: () => [...blocks.keys()].flatMap(close),
    whole(opened, said) {
      const { block, event } = start(opened);
      return [
        event,
        { type: 'text_delta', choice: 0, block, text: said },
        { type: 'block_end', choice: 0, block },
      ];
    },
    get sawToolCall() {
      return sawToolCall;
    },
  };
}

/** @returns null for a block that only this dialect has */
function getStart(block: JsonObject): BlockStart | null {
  switch (block['type']) {
    case 'text':
      return { type: 'text' };
    case 'thinking':
      return { type: 'thinking' };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: text(block['data']) };
    case 'tool_use':
      return { type: 'tool_call', id: text(block['id']), name: text(block['name']) };
    default:
      return null;
  }
}

/** Content of a block when it opens: none from the provider itself, a whole block from some imitations. */
function getContent(opening: JsonObject, block: number): CompletionEvent[] {
  const citations = decodeCitations(opening['citations']);
  return [
    ...citations.map((citation) => ({ type: 'citation' as const, choice: 0, block, citation })),
    ...getDelta({ type: 'text_delta', text: opening['text'] }, block),
    ...getDelta({ type: 'thinking_delta', thinking: opening['thinking'] }, block),
    ...getDelta({ type: 'signature_delta', signature: opening['signature'] }, block),
  ];
}

function getDelta(delta: JsonObject, block: number): CompletionEvent[] {
  const at = { choice: 0, block };
  switch (delta['type']) {
    case 'text_delta': {
      const said = text(delta['text']);
      return said === '' ? [] : [{ type: 'text_delta', ...at, text: said }];
    }
    case 'thinking_delta': {
      const thinking = text(delta['thinking']);
      return thinking === '' ? [] : [{ type: 'thinking_delta', ...at, text: thinking }];
    }
    case 'signature_delta': {
      const signature = text(delta['signature']);
      return signature === '' ? [] : [{ type: 'signature', ...at, signature }];
    }
    case 'citations_delta': {
      const citation = asObject(delta['citation']);
      return citation === null ? [] : [{ type: 'citation', ...at, citation: decodeCitation(citation) }];
    }
    default:
      return [];
  }
}

function getEnd(
  { type, opening, block, json }: OpenBlock,
  start: (opened: BlockStart) => { block: number; event: CompletionEvent },
): CompletionEvent[] {
  if (block === null) {
    const value = json === '' ? opening : { ...opening, input: parsed(json) };
    const part = decodeAssistantBlock(value);
    if (part.type !== 'opaque') return [];
    const opened = start({ type: 'opaque', part });
    return [opened.event, { type: 'block_end', choice: 0, block: opened.block }];
  }
  // A tool without arguments sends an empty fragment, or none: its arguments are still an object.
  const rest: CompletionEvent[] =
    type === 'tool_use' && json === ''
      ? [
          {
            type: 'arguments_delta',
            choice: 0,
            block,
            json: JSON.stringify(asObject(opening['input']) ?? {}),
          },
        ]
      : [];
  return [...rest, { type: 'block_end', choice: 0, block }];
}

function parsed(json: string): unknown {
  return parseJson(json) ?? { INVALID_JSON: json };
}
