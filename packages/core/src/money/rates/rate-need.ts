/** Tools that a provider runs and bills per call. */
export const SERVER_TOOLS = [
  'web_search',
  // OpenAI's earlier search tool, which costs more with some models. Without its own rate, the search rate applies.
  'web_search_preview',
  'web_fetch',
  'code_execution',
  'file_search',
  'image_generation',
] as const;

export type ServerTool = (typeof SERVER_TOOLS)[number];

/** Token classes with rates for only some models. */
export const MEDIA_TOKEN_CLASSES = ['audio_input', 'audio_output', 'image_input', 'image_output'] as const;

export type MediaTokenClass = (typeof MEDIA_TOKEN_CLASSES)[number];

/**
 * An additional rate that a request needs, found before it is sent. A request is rejected if the model's rate card
 * lacks a needed rate.
 */
export type RateNeed =
  | { kind: 'service_tier'; tier: string }
  | { kind: 'speed'; speed: string }
  | { kind: 'inference_geo'; geo: string }
  | { kind: 'tokens'; class: MediaTokenClass }
  | {
      kind: 'tool_calls';
      tool: ServerTool;
      /** The limit in the request; null: none. */
      maxCalls: number | null;
      /** Calls that the provider bills for every response, even if it reports none; absent: none. */
      leastCalls?: number;
      /** The request member that requests the tool; absent: `tools`. */
      member?: string;
      /** Most tokens that a call plausibly adds to the input; absent: up to the model's context. */
      resultTokens?: number;
    }
  /** Another model that the provider may use: billed at its own price and checked against the key's scope. */
  | {
      kind: 'model';
      model: string;
      /** Maximum calls in addition to the requested model; null: no limit in the request; absent: one. */
      maxCalls?: number | null | undefined;
    };

/** Terms for billing a request; null: standard terms. */
export interface RateTerms {
  serviceTier: string | null;
  speed: string | null;
  inferenceGeo: string | null;
}

/** Terms reported in the provider's response; null: not reported. */
export interface ServedTerms {
  model: string | null;
  serviceTier: string | null;
  speed: string | null;
  inferenceGeo: string | null;
}
