import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import { checkCounts, checkIds } from './check-counts.ts';
import { checkShape } from './check-shape.ts';

/**
 * Holds what should be a whole chat completion to the type of the OpenAI SDK, and to what the type cannot say: usage that
 * adds up, choices in order, calls with ids of their own, a reason that fits what was said.
 * @returns the faults in words; none: it conforms
 */
export function checkChatCompletion(value: unknown): string[] {
  const shape = checkShape('chatCompletion', value);
  return shape.length > 0 ? shape : checkRules(value as ChatCompletion);
}

function checkRules(completion: ChatCompletion): string[] {
  const { id, created, model, choices, usage } = completion;
  const faults = usage === undefined ? ['usage: must be there'] : checkChatUsage(usage);
  if (id === '') faults.push('id: must not be empty');
  if (model === '') faults.push('model: must not be empty');
  if (!Number.isInteger(created) || created <= 0) faults.push('created: must be seconds since 1970');
  if (choices.length === 0) faults.push('choices: must not be empty');
  for (const [place, { index, message, finish_reason: reason }] of choices.entries()) {
    const at = `choices.${place}`;
    const calls = message.tool_calls;
    if (index !== place) faults.push(`${at}.index: must be ${place}, is ${index}`);
    if (calls?.length === 0) faults.push(`${at}.message.tool_calls: must be left out where there are none`);
    if (calls !== undefined) faults.push(...checkIds(`${at}.message.tool_calls`, calls));
    if (reason === 'tool_calls' && calls === undefined)
      faults.push(`${at}.finish_reason: is tool_calls without a call`);
  }
  return faults;
}

/** @returns the faults of one chunk, as far as it can be judged by itself */
export function checkChatCompletionChunk(value: unknown): string[] {
  return checkShape('chatCompletionChunk', value);
}

/** @returns the faults of usage: counts that are none, and sums that do not add up */
export function checkChatUsage(usage: NonNullable<ChatCompletionChunk['usage']>): string[] {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  const faults = checkCounts('usage', usage);
  if (prompt + completion !== total) faults.push(`usage: ${prompt} + ${completion} is not ${total}`);
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  if (cached > prompt) faults.push(`usage: ${cached} cached tokens are more than ${prompt}`);
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  if (reasoning > completion) faults.push(`usage: ${reasoning} reasoning tokens are more than ${completion}`);
  return faults;
}

/** Holds an error's body to what the OpenAI SDK reads. */
export function checkOpenAiError(value: unknown): string[] {
  return checkShape('openAiError', value);
}
