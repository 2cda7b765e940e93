import {
  kindOfUnknown,
  noteCacheMark,
  noteDescribedTool,
  noteMembers,
  notePart,
  getParts,
  type InputTraits,
  type PartKind,
} from '../input-traits.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';

const FETCHING_MEMBERS = ['mcp_servers', 'container'] as const;
/** Its model reads what the requested model writes. */
const ADVISOR = /^advisor(?:_|$)/;
const CALLERS_TOOLS: ReadonlySet<unknown> = new Set(['custom', 'function']);
/** A result holds a document, which holds content, and nothing real goes deeper. */
const MAX_NESTING = 4;

/**
 * Finds what the size of a request's input depends on besides its bytes. It walks messages, blocks and tools, not their
 * text. An unknown block counts as text if it is inline. What tools of the provider read is bounded with the rates of
 * their calls.
 * @param body with `messages` a list of objects
 */
export function noteInputTraits(traits: InputTraits, body: JsonObject): void {
  noteCacheMark(traits, body);
  noteMembers(traits, body, FETCHING_MEMBERS);
  noteBlocks(traits, body['system'], MAX_NESTING);
  for (const message of getParts(body['messages'])) {
    noteCacheMark(traits, message);
    noteBlocks(traits, message['content'], MAX_NESTING);
  }
  for (const tool of getParts(body['tools'])) {
    noteCacheMark(traits, tool);
    const type = tool['type'] ?? 'custom';
    if (!CALLERS_TOOLS.has(type)) noteDescribedTool(traits);
    if (typeof type === 'string' && ADVISOR.test(type)) notePart(traits, 'unbounded');
  }
}

function noteBlocks(traits: InputTraits, content: unknown, levels: number): void {
  const blocks = getParts(content);
  if (levels === 0 && blocks.length > 0) return notePart(traits, 'unbounded');
  for (const block of blocks) {
    noteCacheMark(traits, block);
    notePart(traits, kindOfBlock(block));
    // A message may add a tool.
    if (asObject(block['tool']) !== null) noteDescribedTool(traits);
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
    case 'web_search_tool_result':
      return 'text';
    case 'image':
      return 'media';
    case 'document': {
      // A PDF is packed: a page of text may be a few bytes.
      const kind = asObject(block['source'])?.['type'];
      return kind === 'text' || kind === 'content' ? 'text' : 'unbounded';
    }
    default:
      return kindOfUnknown(block);
  }
}

function getContent(block: JsonObject): unknown {
  return block['type'] === 'document' ? asObject(block['source'])?.['content'] : block['content'];
}
