import type { Message } from '@tollgate/core/completion/request';

/**
 * How a block begins that Claude Code writes before its system prompt. It is for Anthropic's own API, which takes it out.
 * In most versions it differs in each request, so that no other provider can cache anything after it
 * (https://github.com/anthropics/claude-code/issues/68900).
 */
export const BILLING_HEADER = 'x-anthropic-billing-header:';

/** How `x-tollgate-dropped-params` lists it. */
export const BILLING_HEADER_NAME = 'x-anthropic-billing-header';

/** @returns the same list if it does not begin with the block */
export function withoutBillingHeader(messages: Message[]): Message[] {
  const [first, ...others] = messages;
  if (first?.role !== 'system') return messages;
  const content = first.content.filter(({ text }) => !text.startsWith(BILLING_HEADER));
  if (content.length === first.content.length) return messages;
  return content.length === 0 ? others : [{ ...first, content }, ...others];
}
