import type { Reasoning } from '@tollgate/core/completion/request';
import type { AnthropicRequest } from './request-schema.ts';

/**
 * Reads `thinking` and `output_config.effort`
 * (https://docs.anthropic.com/en/docs/build-with-claude/adaptive-thinking). A budget takes precedence over an effort.
 */
export function decodeReasoning(
  body: Pick<AnthropicRequest, 'thinking' | 'output_config'>,
): Reasoning | null {
  const effort = body.output_config?.effort ?? null;
  const thinking = body.thinking ?? null;
  if (thinking === null) return effort === null ? null : { type: 'effort', effort };
  switch (thinking.type) {
    case 'disabled':
      return { type: 'off' };
    case 'enabled':
      return { type: 'budget', tokens: thinking.budget_tokens };
    case 'adaptive':
    case 'between_tools':
      return { type: 'adaptive', effort };
  }
}
