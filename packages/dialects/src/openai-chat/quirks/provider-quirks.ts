import type { ChatLimitMember } from '../../limit-members.ts';

/**
 * How a provider of this dialect differs from OpenAI. Requests do not say it, so the provider's preset does. Each field
 * has an entry in `quirk-table.ts`, which changes requests for the provider.
 */
export interface ProviderQuirks {
  /** OpenAI's reasoning models refuse `max_tokens`; older servers know no other name. */
  maxTokensMember: ChatLimitMember;
  /** `none`: developer messages are sent as system messages. */
  developerRole: 'developer' | 'none';
  /**
   * `reasoning`: OpenRouter's object, which also takes a budget of tokens. The other two take an effort, and can turn
   * reasoning on and off: `reasoning.enabled` in a member of this name, `thinking` in Anthropic's.
   */
  reasoningMember: 'reasoning_effort' | 'reasoning' | 'reasoning.enabled' | 'thinking' | 'none';
  /**
   * Where the reasoning of earlier turns is sent. `content`: as parts of the content, in Mistral's form; `none`: it is left
   * out, as OpenAI requires.
   */
  reasoningField: 'reasoning_content' | 'reasoning' | 'reasoning_details' | 'content' | 'none';
  /** Takes Anthropic's `cache_control` on parts and tools. */
  takesCacheControl: boolean;
  takesTopK: boolean;
  /** Takes web URLs as `file_data`, as OpenRouter does. */
  takesFileUrls: boolean;
  /** Takes a list of text parts as the content of any message, as OpenAI does; otherwise content that is only text is sent as a string. */
  takesTextLists: boolean;
  /** `extra_content`: calls are signed, as by Gemini, and are sent back with their signature. */
  callSignatures: 'extra_content' | 'none';
  /** `short`: ids of tool calls have nine letters and digits, as Mistral requires. */
  callIds: 'any' | 'short';
  /** null: no limit. */
  maxStopSequences: number | null;
  /** Members of the body that the provider refuses, though the response means the same without them: `user`. */
  omits: readonly string[];
}

/** OpenAI's own: a body for a provider without quirks is not changed. */
export const NO_QUIRKS: ProviderQuirks = {
  maxTokensMember: 'max_completion_tokens',
  developerRole: 'developer',
  reasoningMember: 'reasoning_effort',
  reasoningField: 'none',
  takesCacheControl: false,
  takesTopK: false,
  takesFileUrls: false,
  takesTextLists: true,
  callSignatures: 'none',
  callIds: 'any',
  maxStopSequences: 4,
  omits: [],
};
