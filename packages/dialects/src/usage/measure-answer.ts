import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { TextMeter } from './text-meter.ts';

/** Output items whose `action` or `operation` the model wrote, and the caller executes. */
const LOCAL_CALLS: ReadonlySet<unknown> = new Set([
  'shell_call',
  'local_shell_call',
  'apply_patch_call',
  'computer_call',
]);

/**
 * Measures what the model wrote in a whole answer or a chunk of any dialect: text, refusals, reasoning, and what it passes
 * to tools. Results of tools that the provider ran, citations, signatures and log probabilities are not its output.
 */
export function measureAnswer(body: JsonObject, meter: TextMeter): void {
  for (const each of asList(body['choices'])) {
    const choice = asObject(each);
    measureMessage(asObject(choice?.['message']) ?? asObject(choice?.['delta']) ?? {}, meter);
  }
  for (const block of asList(body['content'])) measureBlock(asObject(block) ?? {}, meter);
  for (const item of asList(body['output'])) measureItem(asObject(item) ?? {}, meter);
}

/** A message of the chat dialect. */
function measureMessage(message: JsonObject, meter: TextMeter): void {
  measureContent(message['content'], meter);
  measureText(message['refusal'], meter);
  measureText(getReasoning(message), meter);
  measureText(asObject(message['audio'])?.['transcript'], meter);
  measureText(asObject(message['function_call'])?.['arguments'], meter);
  for (const call of asList(message['tool_calls'])) {
    const called = asObject(asObject(call)?.['function']) ?? asObject(asObject(call)?.['custom']);
    measureText(called?.['name'], meter);
    measureJson(called?.['arguments'] ?? called?.['input'], meter);
  }
}

/** No model nests its answer deeper; recursion must end before the stack does. */
const MAX_LEVELS = 20;

function measureContent(content: unknown, meter: TextMeter, level = 0): void {
  measureText(content, meter);
  if (level < MAX_LEVELS)
    for (const part of asList(content)) measureBlock(asObject(part) ?? {}, meter, level + 1);
}

/** A part of a message: Anthropic's blocks, and Mistral's and OpenAI's parts. */
function measureBlock(block: JsonObject, meter: TextMeter, level = 0): void {
  measureText(block['text'], meter);
  measureText(block['refusal'], meter);
  // Of OpenRouter's `reasoning_details`.
  measureText(block['summary'], meter);
  measureContent(block['thinking'], meter, level);
  if (block['type'] === 'compaction') measureText(block['content'], meter);
  const { name, input } = block;
  if (input === undefined) return;
  // Of a tool, whatever the type of the block, which may be cut off.
  measureText(name, meter);
  measureJson(input, meter);
}

/** An output item of the Responses API. */
function measureItem(item: JsonObject, meter: TextMeter): void {
  for (const name of ['content', 'summary']) measureContent(item[name], meter);
  for (const name of ['name', 'arguments', 'code']) measureText(item[name], meter);
  const { type, input, action, operation } = item;
  measureText(input, meter);
  if (!LOCAL_CALLS.has(type)) return;
  measureJson(action, meter);
  measureJson(operation, meter);
}

/** Input of a tool: a string, or an object as JSON. */
export function measureJson(value: unknown, meter: TextMeter): void {
  if (typeof value === 'object' && value !== null) measureText(toJson(value), meter);
  else measureText(value, meter);
}

/** A value nested too deep for `JSON.stringify` is written without its punctuation. */
function toJson(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    const texts: string[] = [];
    const open: unknown[] = [value];
    while (open.length > 0) {
      const next = open.pop();
      // Pushed one by one: a call has a limited number of arguments.
      if (typeof next === 'object' && next !== null)
        for (const [name, member] of Object.entries(next)) open.push(name, member);
      else texts.push(String(next));
    }
    return texts.join(',');
  }
}

/** Providers that send reasoning under several names send the same text: the longest. */
function getReasoning(message: JsonObject): string {
  const { reasoning_content: content, reasoning, thinking, reasoning_details: listed } = message;
  if (content === undefined && reasoning === undefined && thinking === undefined && listed === undefined)
    return '';
  const details = asList(listed).map((each) => {
    const { text, summary } = asObject(each) ?? {};
    return typeof text === 'string' ? text : typeof summary === 'string' ? summary : '';
  });
  return [content, reasoning, thinking, details.join('')].reduce<string>(
    (longest, each) => (typeof each === 'string' && each.length > longest.length ? each : longest),
    '',
  );
}

function measureText(value: unknown, meter: TextMeter): void {
  if (typeof value === 'string') meter.add(value);
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
