import type { Response, ResponseUsage } from 'openai/resources/responses/responses';
import { checkCounts, checkIds } from './check-counts.ts';
import { checkShape } from './check-shape.ts';

/**
 * Checks a response against the OpenAI SDK's type and rules that types cannot express: the status fits the rest, usage
 * adds up, ids of items and calls are unique.
 * @returns the error messages; empty: it conforms
 */
export function checkResponse(value: unknown): string[] {
  const shape = checkShape('response', value);
  return shape.length > 0 ? shape : checkResponseRules(value as Response);
}

/** Checks only the rules, for a final response that matches the type. */
export function checkResponseRules(response: Response): string[] {
  const { id, model, created_at: created, status, output, usage } = response;
  const faults = usage === undefined || usage === null ? [] : checkUsage(usage);
  if (id === '') faults.push('id: must not be empty');
  if (model === '') faults.push('model: must not be empty');
  if (!Number.isInteger(created) || created <= 0) faults.push('created_at: must be seconds since 1970');
  if (status !== 'completed' && status !== 'incomplete' && status !== 'failed')
    faults.push(`status: ${status ?? 'none'} is no end`);
  if (status !== 'failed' && (usage === undefined || usage === null)) faults.push('usage: must be there');
  if ((response.error !== null) !== (status === 'failed'))
    faults.push('error: belongs to failed, and only to it');
  if ((response.incomplete_details !== null) !== (status === 'incomplete'))
    faults.push('incomplete_details: belongs to incomplete, and only to it');
  const calls = output.filter((item) => item.type === 'function_call');
  faults.push(
    ...checkIds(
      'output',
      output.map(({ id: itemId }) => ({ id: itemId ?? '' })),
    ),
    ...checkIds(
      'calls',
      calls.map(({ call_id: callId }) => ({ id: callId })),
    ),
  );
  for (const [index, item] of output.entries()) {
    if (item.type === 'message' && item.content.length === 0) faults.push(`output.${index}: says nothing`);
    if ('status' in item && item.status === 'in_progress')
      faults.push(`output.${index}: is still in progress`);
  }
  return faults;
}

function checkUsage(usage: ResponseUsage): string[] {
  const { input_tokens: input, output_tokens: output, total_tokens: total } = usage;
  const faults = checkCounts('usage', usage);
  if (input + output !== total) faults.push(`usage: ${input} + ${output} is not ${total}`);
  const cached = usage.input_tokens_details.cached_tokens;
  if (cached > input) faults.push(`usage: ${cached} cached tokens are more than ${input}`);
  const reasoning = usage.output_tokens_details.reasoning_tokens;
  if (reasoning > output) faults.push(`usage: ${reasoning} reasoning tokens are more than ${output}`);
  return faults;
}

/** @returns the errors of one stream event, checked separately */
export function checkResponseStreamEvent(value: unknown): string[] {
  return checkShape('responseStreamEvent', value);
}
