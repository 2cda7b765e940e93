/** A parsed conversation, independent of its dialect. */
export interface SeenConversation {
  /** The joined instructions. */
  system: string;
  /** The user's turns with text, each joined. */
  said: string[];
  /** Number of the model's turns so far. */
  turns: number;
  /** Tool results of all turns, in order of arrival. */
  results: SeenResult[];
  /** SHA-256 of each image's bytes, in hex, in order. */
  images: string[];
  /** Reasoning with a valid signature, in order. */
  reasoning: string[];
  /** True if the request enables thinking. */
  thinks: boolean;
}

interface SeenResult {
  id: string;
  /** The call in the conversation. */
  name: string;
  input: unknown;
  text: string;
  isError: boolean;
}

/** Response options of a request. */
export interface AnswerWishes {
  tools: readonly { name: string; schema: Readonly<Record<string, unknown>> }[];
  /** `none`: no call; a name: that call; `any`: some call. */
  choice: 'auto' | 'none' | 'any' | { name: string };
  isParallel: boolean;
  /** The schema of the text; null: free text. */
  schema: Readonly<Record<string, unknown>> | null;
  stops: readonly string[];
  maxTokens: number | null;
}

/** A parsed request, or the provider's refusal. */
export interface ReadRequest {
  seen: SeenConversation;
  wishes: AnswerWishes;
}

export interface Refusal {
  message: string;
  /** The member named by OpenAI; null: none, or another provider. */
  param: string | null;
  code: string | null;
}
