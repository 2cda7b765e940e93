import type { AnswerKind } from './load-sdk-schemas.ts';

interface Extension {
  kind: AnswerKind;
  /** Path of the member; `*` is any index of a list. */
  path: string;
  /** `null`: the SDK has the member, but not as nullable. */
  type: 'string' | 'array' | 'boolean' | 'number' | 'object' | 'null';
}

/** A member that the SDK declares as present or null, and that the API leaves out if there is nothing to say. */
interface LeftOut {
  kind: AnswerKind;
  path: string;
  /** The `type` of the object that has the member; absent: any. */
  type?: string;
  /** The `type` of the stream event; absent: any. */
  event?: string;
}

const inMessage = (path: string): LeftOut[] => [
  { kind: 'message', path },
  { kind: 'messageStreamEvent', path: `message.${path}`, event: 'message_start' },
];

/**
 * Recordings of both APIs never contain these members as null, and some clients reject null (AI SDK 5 and 6 a text block's
 * citations), so it must not be written.
 */
const LEFT_OUT: readonly LeftOut[] = [
  { kind: 'message', path: 'content.*.citations', type: 'text' },
  { kind: 'messageStreamEvent', path: 'content_block.citations', type: 'text' },
  ...['container', 'diagnostics'].flatMap(inMessage),
  ...['inference_geo', 'output_tokens_details', 'server_tool_use', 'service_tier', 'speed'].flatMap(
    (member) => inMessage(`usage.${member}`),
  ),
  ...['delta.container', 'usage.output_tokens_details', 'usage.server_tool_use'].map((path): LeftOut => ({
    kind: 'messageStreamEvent',
    path,
    event: 'message_delta',
  })),
  { kind: 'response', path: 'access_programs' },
  { kind: 'responseStreamEvent', path: 'response.access_programs' },
];

const inChat = (path: string, type: Extension['type']): Extension[] => [
  { kind: 'chatCompletion', path: path.replace('said', 'message'), type },
  { kind: 'chatCompletionChunk', path: path.replace('said', 'delta'), type },
];

const inResponse = (member: string, type: Extension['type']): Extension[] => [
  { kind: 'response', path: member, type },
  { kind: 'responseStreamEvent', path: `response.${member}`, type },
];

/**
 * Members that the gateway deliberately adds to the OpenAI SDK's types, for compatibility with clients of other providers:
 * reasoning as in DeepSeek and OpenRouter, the stop sequence as in vLLM, the cited text of a source as in OpenRouter. The
 * rest is sent by OpenAI but missing in the SDK: annotations in streams, repeated settings of a response, and null for
 * unknown values.
 */
const EXTENSIONS: readonly Extension[] = [
  ...inChat('choices.*.said.reasoning_content', 'string'),
  ...inChat('choices.*.said.reasoning_details', 'array'),
  ...inChat('choices.*.stop_reason', 'string'),
  ...inChat('choices.*.said.annotations.*.url_citation.content', 'string'),
  { kind: 'chatCompletionChunk', path: 'choices.*.delta.annotations', type: 'array' },
  ...inResponse('store', 'boolean'),
  ...inResponse('frequency_penalty', 'number'),
  ...inResponse('presence_penalty', 'number'),
  ...inResponse('user', 'null'),
  { kind: 'responseStreamEvent', path: 'response.usage', type: 'null' },
  // In the last events of a stream that was continued by another attempt.
  { kind: 'chatCompletionChunk', path: 'tollgate', type: 'object' },
  { kind: 'messageStreamEvent', path: 'tollgate', type: 'object' },
  { kind: 'responseStreamEvent', path: 'response.tollgate', type: 'object' },
  // Required by OpenAI's published document in `response.function_call_arguments.done`.
  { kind: 'responseStreamEvent', path: 'name', type: 'string' },
];

/** A copy without the extensions, and the errors in the extensions. */
export function takeExtensions(kind: AnswerKind, value: unknown): { plain: unknown; violations: string[] } {
  const plain: unknown = structuredClone(value);
  const violations: string[] = [];
  for (const extension of EXTENSIONS) {
    if (extension.kind === kind) take(plain, extension.path.split('.'), extension, violations);
  }
  for (const member of LEFT_OUT) {
    if (member.kind !== kind || !hasType(plain, member.event)) continue;
    fillIn(plain, member.path.split('.'), member, violations);
  }
  return { plain, violations };
}

function hasType(value: unknown, type: string | undefined): boolean {
  return type === undefined || Reflect.get(Object(value), 'type') === type;
}

/** Adds the null that the SDK's type requires; a null in the response is an error. */
function fillIn(value: unknown, path: readonly string[], member: LeftOut, violations: string[]): void {
  const [step, ...rest] = path;
  if (typeof value !== 'object' || value === null || step === undefined) return;
  if (rest.length > 0) {
    const inner = step === '*' ? Object.values(value) : [Reflect.get(value, step)];
    for (const each of inner) fillIn(each, rest, member, violations);
  } else if (hasType(value, member.type)) {
    if (Reflect.get(value, step) === null)
      violations.push(`${member.path}: must be left out instead of null`);
    if (!Object.hasOwn(value, step)) Reflect.set(value, step, null);
  }
}

function take(value: unknown, path: readonly string[], extension: Extension, violations: string[]): void {
  const [step, ...rest] = path;
  if (typeof value !== 'object' || value === null || step === undefined) return;
  if (step === '*') {
    for (const entry of Object.values(value)) take(entry, rest, extension, violations);
    return;
  }
  if (!Object.hasOwn(value, step)) return;
  const member: unknown = Reflect.get(value, step);
  if (rest.length > 0) {
    take(member, rest, extension, violations);
    return;
  }
  if (extension.type === 'null' && member !== null) return;
  if (!isOfType(member, extension.type)) violations.push(`${extension.path}: must be ${extension.type}`);
  Reflect.deleteProperty(value, step);
}

function isOfType(value: unknown, type: Extension['type']): boolean {
  if (type === 'array') return Array.isArray(value);
  return type === 'null' ? value === null : typeof value === type;
}
