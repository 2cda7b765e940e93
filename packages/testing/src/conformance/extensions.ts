import type { AnswerKind } from './load-sdk-schemas.ts';

interface Extension {
  kind: AnswerKind;
  /** The way to the member; `*` is any place of a list. */
  path: string;
  /** `null`: where the SDK knows the member, and not that it may be null. */
  type: 'string' | 'array' | 'boolean' | 'number' | 'null';
}

/**
 * Members that the Anthropic SDK declares as present or null, and that Anthropic leaves out when they are empty. Some
 * clients (AI SDK 5 and 6) reject null, so it must not be written.
 */
const LEFT_OUT: readonly { kind: AnswerKind; path: string; blockType: string }[] = [
  { kind: 'message', path: 'content.*.citations', blockType: 'text' },
  { kind: 'messageStreamEvent', path: 'content_block.citations', blockType: 'text' },
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
 * Members that the gateway adds on purpose to what the OpenAI SDK knows, because others before it did and their clients
 * look for them: thoughts as DeepSeek and OpenRouter write them, the stop sequence as vLLM does, the words that a source
 * is cited with as OpenRouter does. The rest is what OpenAI itself sends and the SDK has not written down: annotations in
 * streams, settings of a response that it repeats, and null for what is not known yet.
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
  // OpenAI's published document demands it of `response.function_call_arguments.done`.
  { kind: 'responseStreamEvent', path: 'name', type: 'string' },
];

/** A copy without the extensions, and what is wrong with the extensions themselves. */
export function takeExtensions(kind: AnswerKind, value: unknown): { plain: unknown; faults: string[] } {
  const plain: unknown = structuredClone(value);
  const faults: string[] = [];
  for (const extension of EXTENSIONS) {
    if (extension.kind === kind) take(plain, extension.path.split('.'), extension, faults);
  }
  for (const member of LEFT_OUT) {
    if (member.kind === kind) fillIn(plain, member.path.split('.'), member, faults);
  }
  return { plain, faults };
}

/** Adds the null that the SDK's type demands; a null that was sent is a fault. */
function fillIn(
  value: unknown,
  path: readonly string[],
  member: (typeof LEFT_OUT)[number],
  faults: string[],
): void {
  const [step, ...rest] = path;
  if (typeof value !== 'object' || value === null || step === undefined) return;
  if (rest.length > 0) {
    const inner = step === '*' ? Object.values(value) : [Reflect.get(value, step)];
    for (const each of inner) fillIn(each, rest, member, faults);
  } else if (Reflect.get(value, 'type') === member.blockType) {
    if (Reflect.get(value, step) === null) faults.push(`${member.path}: must be left out instead of null`);
    if (!Object.hasOwn(value, step)) Reflect.set(value, step, null);
  }
}

function take(value: unknown, path: readonly string[], extension: Extension, faults: string[]): void {
  const [step, ...rest] = path;
  if (typeof value !== 'object' || value === null || step === undefined) return;
  if (step === '*') {
    for (const entry of Object.values(value)) take(entry, rest, extension, faults);
    return;
  }
  if (!Object.hasOwn(value, step)) return;
  const member: unknown = Reflect.get(value, step);
  if (rest.length > 0) {
    take(member, rest, extension, faults);
    return;
  }
  if (extension.type === 'null' && member !== null) return;
  if (!isOfType(member, extension.type)) faults.push(`${extension.path}: must be ${extension.type}`);
  Reflect.deleteProperty(value, step);
}

function isOfType(value: unknown, type: Extension['type']): boolean {
  if (type === 'array') return Array.isArray(value);
  return type === 'null' ? value === null : typeof value === type;
}
