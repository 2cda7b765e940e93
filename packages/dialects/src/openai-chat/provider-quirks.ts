/**
 * How a provider of this dialect differs from OpenAI. The canonical request does not say it,
 * hence the provider's preset does.
 */
export interface ProviderQuirks {
  /** OpenAI's reasoning models refuse `max_tokens`; many others know nothing else. */
  maxTokensMember: 'max_completion_tokens' | 'max_tokens';
  /** `none`: developer messages are sent as system messages. */
  developerRole: 'developer' | 'none';
  /** `reasoning`: OpenRouter's object, which also takes a budget of tokens. */
  reasoningMember: 'reasoning_effort' | 'reasoning' | 'none';
  /** Member for the reasoning of earlier turns; `none`: it is left out, as OpenAI requires. */
  reasoningField: 'reasoning_content' | 'reasoning' | 'reasoning_details' | 'none';
  /** Takes Anthropic's `cache_control` on parts and tools. */
  takesCacheControl: boolean;
  takesTopK: boolean;
  /** Takes web URLs as `file_data`, as OpenRouter does. */
  takesFileUrls: boolean;
  /** Takes lists of text parts like OpenAI: in messages of the system, the assistant and of tools. */
  takesTextLists: boolean;
  /** `short`: ids of tool calls have nine letters and digits, as Mistral requires. */
  callIds: 'any' | 'short';
  /** `extra_content`: calls are signed, as by Gemini, and are sent back with their signature. */
  callSignatures: 'extra_content' | 'none';
  /** null: no limit. */
  maxStopSequences: number | null;
  /** Members of the body that the provider refuses, though the answer means the same without them: `user`. */
  omits: readonly string[];
}

export const NO_QUIRKS: ProviderQuirks = {
  maxTokensMember: 'max_completion_tokens',
  developerRole: 'developer',
  reasoningMember: 'reasoning_effort',
  reasoningField: 'none',
  takesCacheControl: false,
  takesTopK: false,
  takesFileUrls: false,
  takesTextLists: true,
  callIds: 'any',
  callSignatures: 'none',
  maxStopSequences: 4,
  omits: [],
};
