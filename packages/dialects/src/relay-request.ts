import type { RateNeed } from '@tollgate/core/money/rates/rate-need';
import type { ClassifiedBody } from './contract/request-members.ts';
import type { InputTraits } from './input-traits.ts';
import type { ItemReferences } from './openai-responses/carried/keeps-items.ts';
import type { ReasoningSetting } from './reasoning-setting.ts';

/**
 * What the gateway must know of a request to admit it, and to relay it in its own dialect. Everything else of the body
 * stays bytes.
 */
export interface RelayRequest extends InputTraits {
  model: string;
  stream: boolean;
  /** True if the caller requested usage in the stream; always true in dialects that send it anyway. */
  wantsStreamUsage: boolean;
  /** Members of the body that must change before it is forwarded to a provider of the same dialect, as JSON text. */
  forwardChanges: Readonly<Record<string, string>>;
  /** Maximum output tokens per answer, reasoning included; null: as many as the model can write. */
  maxOutputTokens: number | null;
  /** Members that named the limit; none if left out. */
  limitMembers?: readonly string[];
  /** Maximum reasoning tokens, if they must be less than the limit. */
  thinkingBudgetTokens?: number;
  /** The highest maximum of reasoning tokens that `fallbacks` set for other models; absent: none. */
  fallbackBudgetTokens?: number;
  /** null, absent: the request does not set reasoning. */
  reasoning?: ReasoningSetting | null;
  /** Number of requested answers, each with separate output. */
  choices: number;
  /** Approximate input tokens, if the request shows them at no cost. */
  inputTokens?: number;
  /** Rates that the request needs in addition to plain tokens; absent: none. */
  rateNeeds?: readonly RateNeed[];
  /**
   * The provider runs tools whose calls nothing limits or counts, such as those of MCP servers: the model reads its input
   * again after each; absent: none.
   */
  hasUncountedTools?: boolean;
  /** The provider may run the model once more to compact the conversation; absent: it does not. */
  hasCompaction?: boolean;
  /** Equal in all requests of a conversation, as `hashConversationStart` returns it; null, absent: unknown. */
  conversationStart?: number | null;
  /** How the caller may refer to the items of the response in its next request; absent: it sends whole items. */
  itemReferences?: ItemReferences;
}

/** A request as its parser leaves it. */
export interface ParsedRequest extends RelayRequest, ClassifiedBody {}
