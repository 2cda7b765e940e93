import type { ProviderError } from './provider-error.ts';

const OPENAI_CODE = 'invalid_encrypted_content';
const MESSAGES = [
  // OpenAI, also without a code: an item that another account or Azure encrypted.
  /encrypted content\b.*\bcould not be (?:verified|decrypted)/is,
  // Anthropic: https://docs.claude.com/en/docs/build-with-claude/extended-thinking#thinking-encryption
  /invalid `?(?:signature|data)`? in `?(?:redacted_)?thinking`? block/i,
];

/** True if a provider refuses a request because it cannot read the reasoning in its conversation. */
export function refusesReasoning({ code, message }: Pick<ProviderError, 'code' | 'message'>): boolean {
  return code === OPENAI_CODE || MESSAGES.some((pattern) => pattern.test(message));
}
