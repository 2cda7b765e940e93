import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { TextMeter } from './text-meter.ts';

/**
 * Measures what the model wrote in a whole answer or a chunk of any dialect: text, refusals, reasoning, and what it passes
 * to tools. Results of tools that the provider ran, citations, signatures and log probabilities are not its output.
 */
export function measureAnswer(body: JsonObject, meter: TextMeter): void {
  for (const each of listOf(body['choices'])) {
    const choice = asObject(each);
    measureMessage(asObject(choice?.['message']) ?? asObject(choice?.['delta']) ?? {}, meter);
  }
  for (const block of listOf(body['content'])) measureBlock(asObject(block) ?? {}, meter);
  for (const item of listOf(body['output'])) measureItem(asObject(item) ?? {}, meter);
}

/** A message of the chat dialect. */
function measureMessage(message: JsonObject, meter: TextMeter): void {
  measureContent(message['content'], meter);
  measureText(message['refusal'], meter);
  // Providers that send both send the same text twice.
  measureText(message['reasoning_content'] ?? message['reasoning'], meter);
  measureText(asObject(message['audio'])?.['transcript'], meter);
  measureText(asObject(message['function_call'])?.['arguments'], meter);
  for (const call of listOf(message['tool_calls'])) {
    const called = asObject(asObject(call)?.['function']) ?? asObject(asObject(call)?.['custom']);
    measureText(called?.['name'], meter);
    measureText(called?.['arguments'] ?? called?.['input'], meter);
  }
}

function measureContent(content: unknown, meter: TextMeter): void {
  measureText(content, meter);
  for (const part of listOf(content)) measureBlock(asObject(part) ?? {}, meter);
}

/** A part of a message: Anthropic's blocks, and Mistral's and OpenAI's parts. */
function measureBlock(block: JsonObject, meter: TextMeter): void {
  measureText(block['text'], meter);
  measureText(block['refusal'], meter);
  measureContent(block['thinking'], meter);
  if (block['type'] === 'compaction') measureText(block['content'], meter);
  if (block['type'] !== 'tool_use' && block['type'] !== 'server_tool_use') return;
  measureText(block['name'], meter);
  const { input } = block;
  if (input !== undefined) measureText(typeof input === 'string' ? input : JSON.stringify(input), meter);
}

/** An output item of the Responses API. */
function measureItem(item: JsonObject, meter: TextMeter): void {
  for (const name of ['content', 'summary']) measureContent(item[name], meter);
  for (const name of ['name', 'arguments', 'code']) measureText(item[name], meter);
  if (item['type'] === 'custom_tool_call') measureText(item['input'], meter);
}

function measureText(value: unknown, meter: TextMeter): void {
  if (typeof value === 'string') meter.add(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
