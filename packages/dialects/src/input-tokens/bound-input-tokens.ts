import type { RelayRequest } from '../relay-request.ts';

/**
 * A token is at least a byte, and JSON never writes a text in fewer bytes than it has. Yet providers write tools and calls
 * anew, with other escapes and digits, before a model reads them.
 */
const TOKENS_PER_BYTE = 1.5;
/** Tokens that templates add once: for tools, for a forced tool, for a schema, for thinking. */
const TEMPLATE_TOKENS = 1_000;
/**
 * The most expensive image: GPT-4o mini counts 2,833 tokens and 5,667 for each of eight tiles
 * (https://platform.openai.com/docs/guides/images-vision#calculating-costs). Its bytes may be few, as with a single color.
 */
const MEDIA_TOKENS = 50_000;
/** The longest description of a provider's own tool: those of Anthropic have 245 to 1,500 tokens, others are not published. */
export const DESCRIBED_TOOL_TOKENS = 5_000;
/** Used as a model's context if it is unknown. */
const UNKNOWN_CONTEXT_TOKENS = 2_000_000;

export interface BoundedRequest {
  /** Of the body as the caller sent it, decompressed. */
  bodyBytes: number;
  request: Pick<
    RelayRequest,
    'mediaParts' | 'describedTools' | 'addedToolBytes' | 'hasUnboundedInput' | 'maxOutputTokens'
  >;
  /** The model's context; null: unknown. */
  contextTokens: number | null;
}

/**
 * An upper bound of the input tokens that a provider will count for a request, cached ones included, at no cost: mostly
 * several times the truth. If the bytes do not bound the size of the input, it is the model's context. The hold multiplies it
 * by the turns of tools that the provider runs.
 * @returns tokens; never more than the context, except for embeddings, where each of many inputs may fill the context
 */
export function boundInputTokens({ bodyBytes, request, contextTokens }: BoundedRequest): number {
  const { mediaParts, describedTools = 0, addedToolBytes = 0, hasUnboundedInput, maxOutputTokens } = request;
  const estimate =
    Math.ceil(bodyBytes * TOKENS_PER_BYTE) +
    TEMPLATE_TOKENS +
    mediaParts * MEDIA_TOKENS +
    describedTools * DESCRIBED_TOOL_TOKENS +
    addedToolBytes;
  const bound = hasUnboundedInput ? Math.max(estimate, contextTokens ?? UNKNOWN_CONTEXT_TOKENS) : estimate;
  const writesNothing = maxOutputTokens === 0;
  return contextTokens === null || writesNothing ? bound : Math.min(bound, contextTokens);
}
