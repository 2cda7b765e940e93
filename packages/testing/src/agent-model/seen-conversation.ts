/** A conversation as the model understands it, whatever the dialect it came in. */
export interface SeenConversation {
  /** The instructions, joined. */
  system: string;
  /** The turns of the user that hold text, each joined. */
  said: string[];
  /** The turns of the model so far. */
  turns: number;
  /** Of all turns, in the order in which the results came. */
  results: SeenResult[];
  /** The SHA-256 of the bytes of every image, in hex, in their order. */
  images: string[];
  /** The thoughts that came back with a proof that holds, in their order. */
  thoughts: string[];
  /** The request has thinking on. */
  thinks: boolean;
}

interface SeenResult {
  id: string;
  /** The call as the conversation repeats it. */
  name: string;
  input: unknown;
  text: string;
  isError: boolean;
}

/** What a request asks of the answer. */
export interface AnswerWishes {
  tools: readonly { name: string; schema: Readonly<Record<string, unknown>> }[];
  /** `none`: no call; a name: that call; `any`: some call. */
  choice: 'auto' | 'none' | 'any' | { name: string };
  isParallel: boolean;
  /** The schema that the text must fit; null: it is free. */
  schema: Readonly<Record<string, unknown>> | null;
  stops: readonly string[];
  maxTokens: number | null;
}

/** A request understood, or the reason why the provider does not take it. */
export interface ReadRequest {
  seen: SeenConversation;
  wishes: AnswerWishes;
}

export interface Refusal {
  message: string;
  /** OpenAI names the member; null: none, or another provider. */
  param: string | null;
  code: string | null;
}
