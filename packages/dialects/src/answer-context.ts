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
  /** Absent: the encoder writes the stream from its beginning. */
  resumed?: ResumedPlace;
  /** How often the stream was continued by another attempt, which its end says; absent: never. */
  continued?: number;
}

/** Where an encoder goes on with a stream that a provider of the same dialect began. */
export interface ResumedPlace {
  /** Of the open block or item; of the next one if none is open. */
  index: number;
  /** Of the open item, in the Responses API; null: none. */
  itemId: string | null;
  /** The response as its first event has it, in the Responses API. */
  response: JsonObject;
  /** Items that are complete, by their place, in the Responses API. */
  items: ReadonlyMap<number, JsonObject>;
}
