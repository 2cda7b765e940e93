import type { JsonObject } from './json/parse-object.ts';

/** What an answer needs in addition to what the model said. */
export interface AnswerContext {
  requestId: string;
  /** The model as the caller named it. */
  model: string;
  /** Seconds since the Unix epoch, for providers that do not say when they answered. */
  nowSeconds: number;
  /** The caller's body, for the settings that answers of the Responses API repeat; left out: their defaults. */
  requestBody?: JsonObject;
  /** True: the caller may refer to the items of a response by their ids, which then carry them; absent: false. */
  carriesItems?: boolean;
}

export interface StreamContext extends AnswerContext {
  /** Used for the input tokens until the provider reports them; null: no estimate. */
  estimatedInputTokens: number | null;
  /** The caller requested usage in the stream; used by dialects that leave it out by default. */
  wantsStreamUsage: boolean;
}
