import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import { checkCounts, checkIds } from './check-counts.ts';
import { checkShape } from './check-shape.ts';

/**
 * Checks a chat completion against the OpenAI SDK's type and rules that types cannot express: usage adds up, choices are
 * in order, call ids are unique, the finish reason fits the content.
 * @returns the error messages; empty: it conforms
 */
export function checkChatCompletion(value: unknown): string[] {
  const shape = checkShape('chatCompletion', value);
  return shape.length > 0 ? shape : checkRules(value as ChatCompletion);
}

function checkRules(completion: ChatCompletion): string[] {
  const { id, created, model, choices, usage } = completion;
  const violations = usage === undefined ? ['usage: must be there'] : checkChatUsage(usage);
  if (id === '') violations.push('id: must not be empty');
  if (model === '') violations.push('model: must not be empty');
  if (!Number.isInteger(created) || created <= 0) violations.push('created: must be seconds since 1970');
  if (choices.length === 0) violations.push('choices: must not be empty');
  for (const [place, { index, message, finish_reason: reason }] of choices.entries()) {
    const at = `choices.${place}`;
    const calls = message.tool_calls;
    if (index !== place) violations.push(`${at}.index: must be ${place}, is ${index}`);
    if (calls?.length === 0) violations.push(`${at}.message.tool_calls: must be omitted if empty`);
    if (calls !== undefined) violations.push(...checkIds(`${at}.message.tool_calls`, calls));
    if (reason === 'tool_calls' && calls === undefined)
      violations.push(`${at}.finish_reason: is tool_calls without a call`);
  }
  return violations;
}

/** @returns the errors of one chunk, checked separately */
export function checkChatCompletionChunk(value: unknown): string[] {
  return checkShape('chatCompletionChunk', value);
}

/** @returns the errors of usage: invalid counts, and sums that do not add up */
export function checkChatUsage(usage: NonNullable<ChatCompletionChunk['usage']>): string[] {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  const violations = checkCounts('usage', usage);
  if (prompt + completion !== total) violations.push(`usage: ${prompt} + ${completion} is not ${total}`);
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  if (cached > prompt) violations.push(`usage: ${cached} cached tokens are more than ${prompt}`);
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  if (reasoning > completion)
    violations.push(`usage: ${reasoning} reasoning tokens are more than ${completion}`);
  return violations;
}

/** Checks an error's body against the OpenAI SDK's type. */
export function checkOpenAiError(value: unknown): string[] {
  return checkShape('openAiError', value);
}
