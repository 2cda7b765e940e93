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
  const violations = usage === undefined || usage === null ? [] : checkUsage(usage);
  if (id === '') violations.push('id: must not be empty');
  if (model === '') violations.push('model: must not be empty');
  if (!Number.isInteger(created) || created <= 0) violations.push('created_at: must be seconds since 1970');
  if (status !== 'completed' && status !== 'incomplete' && status !== 'failed')
    violations.push(`status: ${status ?? 'none'} is no end`);
  if (status !== 'failed' && (usage === undefined || usage === null)) violations.push('usage: must be there');
  if ((response.error !== null) !== (status === 'failed'))
    violations.push('error: belongs to failed, and only to it');
  if ((response.incomplete_details !== null) !== (status === 'incomplete'))
    violations.push('incomplete_details: belongs to incomplete, and only to it');
  const calls = output.filter((item) => item.type === 'function_call');
  violations.push(
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
    if (item.type === 'message' && item.content.length === 0)
      violations.push(`output.${index}: says nothing`);
    if ('status' in item && item.status === 'in_progress')
      violations.push(`output.${index}: is still in progress`);
  }
  return violations;
}

function checkUsage(usage: ResponseUsage): string[] {
  const { input_tokens: input, output_tokens: output, total_tokens: total } = usage;
  const violations = checkCounts('usage', usage);
  if (input + output !== total) violations.push(`usage: ${input} + ${output} is not ${total}`);
  const cached = usage.input_tokens_details.cached_tokens;
  if (cached > input) violations.push(`usage: ${cached} cached tokens are more than ${input}`);
  const reasoning = usage.output_tokens_details.reasoning_tokens;
  if (reasoning > output) violations.push(`usage: ${reasoning} reasoning tokens are more than ${output}`);
  return violations;
}

/** @returns the errors of one stream event, checked separately */
export function checkResponseStreamEvent(value: unknown): string[] {
  return checkShape('responseStreamEvent', value);
}
