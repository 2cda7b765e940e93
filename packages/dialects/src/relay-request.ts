/**
 * What the gateway must know of a request to relay it in its own dialect. Everything else of the body stays bytes.
 */
export interface RelayRequest {
  model: string;
  stream: boolean;
  /** True where the caller asked to see usage in the stream; always so in dialects that send it anyway. */
  wantsStreamUsage: boolean;
  /** Members of the body that must change before it is forwarded to a provider of the same dialect, as JSON text. */
  forwardChanges: Readonly<Record<string, string>>;
  /** Input tokens, nearly, of a request that can tell them at no cost. */
  inputTokens?: number;
}
