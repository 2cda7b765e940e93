import {
  createInputTraits,
  noteCacheMark,
  noteMembers,
  notePart,
  getParts,
  type InputTraits,
  type PartKind,
} from '../input-traits.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';

const FETCHING_MEMBERS = ['mcp_servers', 'container'] as const;
/** The caller runs them, the provider describes them to the model: `bash_20250124`. */
const DESCRIBED_TOOL = /^(?:bash|text_editor|computer|memory)_\d/;
/** A result holds a document, which holds content, and nothing real goes deeper. */
const MAX_NESTING = 4;

/**
 * Finds what the size of a request's input depends on besides its bytes. It walks messages, blocks and tools, not their
 * text; what it does not know counts as unbounded.
 * @param body with `messages` a list of objects
 */
export function readInputTraits(body: JsonObject): InputTraits {
  const traits = createInputTraits();
  noteCacheMark(traits, body);
  noteMembers(traits, body, FETCHING_MEMBERS);
  noteBlocks(traits, body['system'], MAX_NESTING);
  for (const message of getParts(body['messages'])) {
    noteCacheMark(traits, message);
    noteBlocks(traits, message['content'], MAX_NESTING);
  }
  for (const tool of getParts(body['tools'])) {
    noteCacheMark(traits, tool);
    const { type = 'custom' } = tool;
    notePart(traits, kindOfTool(type));
  }
  return traits;
}

function noteBlocks(traits: InputTraits, content: unknown, levels: number): void {
  const blocks = getParts(content);
  if (levels === 0 && blocks.length > 0) return notePart(traits, 'unbounded');
  for (const block of blocks) {
    noteCacheMark(traits, block);
    notePart(traits, kindOfBlock(block));
    const nested = getContent(block);
    if (nested !== undefined) noteBlocks(traits, nested, levels - 1);
  }
}

function kindOfBlock(block: JsonObject): PartKind {
  switch (block['type']) {
    case 'text':
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
    case 'tool_result':
    case 'mcp_tool_result':
    case 'search_result':
    case 'tool_reference':
      return 'text';
    case 'image':
      return 'media';
    case 'document': {
      // A PDF is packed: a page of text may be a few bytes.
      const kind = asObject(block['source'])?.['type'];
      return kind === 'text' || kind === 'content' ? 'text' : 'unbounded';
    }
    default:
      return 'unbounded';
  }
}

function getContent(block: JsonObject): unknown {
  return block['type'] === 'document' ? asObject(block['source'])?.['content'] : block['content'];
}

function kindOfTool(type: unknown): PartKind {
  if (type === 'custom') return 'text';
  return typeof type === 'string' && DESCRIBED_TOOL.test(type) ? 'media' : 'unbounded';
}
