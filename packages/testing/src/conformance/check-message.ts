import type { Message } from '@anthropic-ai/sdk/resources/messages';
import { checkCounts, checkIds } from './check-counts.ts';
import { checkShape } from './check-shape.ts';

/**
 * Checks a message against the Anthropic SDK's type and rules that types cannot express: the stop reason fits the content,
 * call ids are unique, no text is empty.
 * @returns the error messages; empty: it conforms
 */
export function checkMessage(value: unknown): string[] {
  const shape = checkShape('message', value);
  return shape.length > 0 ? shape : checkMessageRules(value as Message);
}

/** Checks only the rules, for a message that matches the type. */
export function checkMessageRules(message: Message): string[] {
  const { id, model, content, stop_reason: reason, stop_sequence: sequence } = message;
  const violations = checkCounts('usage', message.usage);
  if (!id.startsWith('msg_')) violations.push(`id: ${id} must start with msg_`);
  if (model === '') violations.push('model: must not be empty');
  if (reason === null) violations.push('stop_reason: must not be null at the end');
  if (sequence !== null && reason !== 'stop_sequence')
    violations.push('stop_sequence: without the reason for it');
  if ((message.stop_details !== null) !== (reason === 'refusal'))
    violations.push('stop_details: belongs to a refusal, and only to it');
  const calls = content.filter((block) => block.type === 'tool_use');
  if (reason === 'tool_use' && calls.length === 0) violations.push('stop_reason: is tool_use without a call');
  if (reason === 'end_turn' && calls.length > 0)
    violations.push('stop_reason: is end_turn, and there is a call');
  for (const [index, block] of content.entries()) {
    if (block.type === 'text' && block.text === '' && (block.citations ?? []).length === 0)
      violations.push(`content.${index}: is an empty text`);
    if (block.type !== 'tool_use') continue;
    if (typeof block.input !== 'object' || block.input === null || Array.isArray(block.input))
      violations.push(`content.${index}.input: must be an object`);
  }
  return [...violations, ...checkIds('calls', calls)];
}

/** @returns the errors of one stream event, checked separately */
export function checkMessageStreamEvent(value: unknown): string[] {
  return checkShape('messageStreamEvent', value);
}

/** Checks an error's body against the Anthropic SDK's type. */
export function checkMessagesError(value: unknown): string[] {
  return checkShape('messagesError', value);
}
