import type { AssistantPart, ToolResultContent, UserPart } from '@tollgate/core/completion/content';
import type { CompletionRequest } from '@tollgate/core/completion/request';
import { CALL_ID_MARKS } from '../call-id.ts';
import type { JsonObject } from '../json/parse-object.ts';
import type { CollectedInput } from './collect-input.ts';
import { LeafCounts, type Leaf } from './leaf-counts.ts';

/** Members of a body that no model reads. */
const UNREAD_MEMBERS: ReadonlySet<string> = new Set(
  `model models fallbacks fallback_models stream stream_options stop stop_sequences include truncation store user
  safety_identifier metadata client_metadata user_profile_id prompt_cache_key prompt_cache_retention prompt_cache_options
  service_tier speed inference_geo anthropic_version anthropic_beta fallback_credit_token diagnostics logit_bias
  modalities audio reasoning reasoning_effort thinking tool_choice function_call prediction`.split(/\s+/),
);
/** Members that hold the conversation. */
const CONVERSATION: ReadonlySet<string> = new Set(['messages', 'input', 'system', 'instructions']);
/** Other members whose objects are read member by member, as they hold what was counted. */
const HOLDERS: ReadonlySet<string> = new Set(
  'tools functions function custom text response_format output_format output_config json_schema format'.split(
    ' ',
  ),
);
const MAX_HOLDERS = 5;
/** Members of the conversation, and of tools, that no model reads, or that are counted as media. */
const UNREAD: ReadonlySet<string> = new Set([
  'cache_control',
  'prompt_cache_breakpoint',
  'internal_chat_message_metadata_passthrough',
]);
/** Members that hold encrypted reasoning or a signature. Text is neither. */
const SEALED: ReadonlySet<string> = new Set(['encrypted_content', 'encrypted_index', 'signature']);
const SEAL = /^[\w+/=.:-]*$/;
/** Members that hold content or its address, whose tokens its bytes do not show. */
const MEDIA: ReadonlySet<string> = new Set('data url image_url file_data file_url'.split(' '));
const ADDRESS = /^\s*(?:data:|https?:)/i;
/** Members that hold the name of something. A longer text is none, except for an id that carries a signature. */
const LABELS: ReadonlySet<string> = new Set(
  'type role id call_id tool_call_id tool_use_id status phase object detail format media_type item_id'.split(
    ' ',
  ),
);
const MAX_LABEL = 128;
/** Arguments of a call. */
const ARGUMENTS: ReadonlySet<string> = new Set(['input', 'arguments']);
/** Usual names of members, which are counted with the messages and tools that have them. */
const USUAL_NAMES: ReadonlySet<string> = new Set(
  `messages input system instructions tools functions response_format output_format output_config text
  choices type role content name description parameters input_schema schema json_schema strict function custom tool_calls
  arguments id call_id tool_call_id tool_use_id is_error output summary thinking signature encrypted_content status source
  media_type data url image_url detail annotations citations namespace phase action format`.split(/\s+/),
);

/**
 * Finds what a provider may count besides what was collected: texts, numbers and names of a body that its canonical form has no
 * place for, such as unknown members of messages and tools, and tools that the request forbids the model to call.
 * @param body as the caller sent it
 * @param request its canonical form
 */
export function findUncounted(
  body: JsonObject,
  request: CompletionRequest,
  collected: CollectedInput,
): string {
  const search: Search = { counted: countKnown(request, new Set(collected.texts)), found: [] };
  for (const [name, value] of Object.entries(body)) {
    if (UNREAD_MEMBERS.has(name) || typeof value === 'number') continue;
    if (CONVERSATION.has(name)) visit(search, name, value);
    else visitSetting(search, name, value, MAX_HOLDERS);
  }
  return search.found.join(' ');
}

interface Search {
  counted: LeafCounts;
  found: string[];
}

/**
 * Members outside of the conversation may hold text under any name, such as examples of a tool, or variables of a prompt
 * template. A model reads it as it is written.
 */
function visitSetting(search: Search, name: string, value: unknown, levels: number): void {
  if (typeof value === 'string' || typeof value === 'number') {
    if (name !== 'type' || String(value).length > MAX_LABEL) note(search, value);
  } else if (typeof value !== 'object' || value === null || search.counted.takeAll(value)) return;
  else if (levels === 0 || !HOLDERS.has(name)) search.found.push(JSON.stringify(value));
  else if (Array.isArray(value)) for (const entry of value) visitSetting(search, name, entry, levels - 1);
  else
    for (const [member, inner] of Object.entries(value)) {
      if (UNREAD.has(member)) continue;
      if (!USUAL_NAMES.has(member)) note(search, member);
      visitSetting(search, member, inner, levels - 1);
    }
}

/** @param isInside true: within arguments that were written as text before */
function visit(search: Search, name: string, value: unknown, isInside = false): void {
  if (typeof value === 'string') {
    if (!isUnread(name, value)) note(search, value);
  } else if (typeof value === 'number') note(search, value);
  else if (Array.isArray(value)) visitEntries(search, name, value, isInside);
  else if (typeof value === 'object' && value !== null) {
    const isArguments = !isInside && ARGUMENTS.has(name);
    // The canonical form has them as text. Those within others are not written again: the time would grow with the depth.
    if (isArguments && search.counted.take(JSON.stringify(value))) return;
    visitMembers(search, value, isInside || isArguments);
  }
}

/** The entries of a list are no arguments: `input` of a body is a list of items. */
function visitEntries(search: Search, name: string, entries: readonly unknown[], isInside: boolean): void {
  for (const entry of entries)
    if (typeof entry === 'object' && entry !== null && !Array.isArray(entry))
      visitMembers(search, entry, isInside);
    else visit(search, name, entry, isInside);
}

function visitMembers(search: Search, object: object, isInside: boolean): void {
  for (const [name, value] of Object.entries(object)) {
    if (UNREAD.has(name)) continue;
    if (!USUAL_NAMES.has(name)) note(search, name);
    visit(search, name, value, isInside);
  }
}

function note({ counted, found }: Search, leaf: Leaf): void {
  if (!counted.take(leaf)) found.push(String(leaf));
}

function isUnread(name: string, text: string): boolean {
  if (MEDIA.has(name)) return ADDRESS.test(text);
  if (SEALED.has(name)) return SEAL.test(text);
  return LABELS.has(name) && (text.length <= MAX_LABEL || CALL_ID_MARKS.some((mark) => text.includes(mark)));
}

/** What the canonical form holds: it is counted, or known not to be read. */
function countKnown(request: CompletionRequest, texts: ReadonlySet<string>): LeafCounts {
  const counted = new LeafCounts();
  const { messages, tools, hostedTools, outputFormat } = request;
  for (const message of messages) {
    if ('name' in message && message.name !== null) counted.add(message.name);
    for (const part of message.content) addPart(counted, part, texts);
  }
  for (const { name, description, parameters } of tools) counted.addAll([name, description, parameters]);
  for (const { value } of hostedTools) counted.addAll(value);
  if (outputFormat.type === 'json_schema') counted.addAll([outputFormat.name, outputFormat.schema]);
  return counted;
}

/** Reasoning that was not collected counts: newer models read more of it than others. */
function addPart(
  counted: LeafCounts,
  part: UserPart | AssistantPart | ToolResultContent,
  texts: ReadonlySet<string>,
): void {
  switch (part.type) {
    case 'thinking':
      if (texts.has(part.text)) counted.add(part.text);
      if (part.signature !== null) counted.add(part.signature);
      return;
    case 'tool_call':
      counted.addAll([part.name, part.arguments]);
      return;
    case 'text':
      counted.add(part.text);
      for (const { original } of part.citations) counted.addAll(original);
      return;
    default:
      counted.addAll(part);
  }
}
