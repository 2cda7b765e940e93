/** Tools that a provider runs itself and bills per call. */
export const SERVER_TOOLS = [
  'web_search',
  // OpenAI's earlier search, which costs more with some models; without a rate of its own it costs what others do.
  'web_search_preview',
  'web_fetch',
  'code_execution',
  'file_search',
  'image_generation',
] as const;

export type ServerTool = (typeof SERVER_TOOLS)[number];

/** Token classes that only some models have a rate for. */
export const MEDIA_TOKEN_CLASSES = ['audio_input', 'audio_output', 'image_input', 'image_output'] as const;

export type MediaTokenClass = (typeof MEDIA_TOKEN_CLASSES)[number];

/**
 * A rate that a request needs beside those of plain tokens, found before it is sent. A request that needs a rate the
 * model's rate card does not have is rejected.
 */
export type RateNeed =
  | { kind: 'service_tier'; tier: string }
  | { kind: 'speed'; speed: string }
  | { kind: 'inference_geo'; geo: string }
  | { kind: 'tokens'; class: MediaTokenClass }
  | {
      kind: 'tool_calls';
      tool: ServerTool;
      /** The limit that the request itself sets; null: it sets none. */
      maxCalls: number | null;
      /** The member of the request that asks for the tool; absent: `tools`. */
      member?: string;
    }
  /** Another model that the provider may use for this request: priced as itself, and checked against the key's scope. */
  | {
      kind: 'model';
      model: string;
      /** How often it may be called beside the requested model; null: the request sets no limit; absent: once. */
      maxCalls?: number | null | undefined;
    };

/** The terms that a request is billed by; null: the plain ones. */
export interface RateTerms {
  serviceTier: string | null;
  speed: string | null;
  inferenceGeo: string | null;
}

/** What the provider says it used, as read from its response; null: it does not say. */
export interface ServedTerms {
  model: string | null;
  serviceTier: string | null;
  speed: string | null;
  inferenceGeo: string | null;
}
