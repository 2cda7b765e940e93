import type { AssistantPart, CacheBreakpoint, TextPart, ToolResultContent, UserPart } from './content.ts';

/** One turn; a list of them is a conversation. */
export type Message =
  /** Instructions of the operator; the first ones open the conversation, others may come in its midst. */
  | { role: 'system'; kind: 'system' | 'developer'; content: TextPart[] }
  | { role: 'user'; name: string | null; content: UserPart[] }
  | { role: 'assistant'; name: string | null; content: AssistantPart[] }
  | {
      role: 'tool';
      callId: string;
      content: ToolResultContent[];
      isError: boolean;
      cache: CacheBreakpoint | null;
    };

export interface ToolDefinition {
  name: string;
  description: string | null;
  /** JSON Schema of the arguments; null: the tool takes none. */
  parameters: Readonly<Record<string, unknown>> | null;
  /** The arguments must fit the schema; null: the provider's default. */
  strict: boolean | null;
  cache: CacheBreakpoint | null;
}

/** A tool that the provider runs itself (web search, code execution), as its dialect writes it. */
export interface HostedTool {
  dialect: string;
  name: string;
  value: Readonly<Record<string, unknown>>;
}

export type ToolChoice =
  | { type: 'auto' }
  | { type: 'none' }
  | { type: 'required' }
  | { type: 'tool'; name: string };

export type OutputFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | {
      type: 'json_schema';
      name: string | null;
      description: string | null;
      schema: Readonly<Record<string, unknown>>;
      strict: boolean | null;
    };

export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** How much a model thinks before it answers; dialects ask for it by effort or by a budget of tokens. */
export type Reasoning =
  | { type: 'off' }
  | { type: 'effort'; effort: ReasoningEffort }
  | { type: 'budget'; tokens: number }
  /** The model decides. */
  | { type: 'adaptive'; effort: ReasoningEffort | null };

/** Numbers that steer sampling; null: the provider's default. */
export interface Sampling {
  temperature: number | null;
  topP: number | null;
  topK: number | null;
  seed: number | null;
  presencePenalty: number | null;
  frequencyPenalty: number | null;
  logitBias: Readonly<Record<string, number>> | null;
}

/**
 * A request for a completion: everything that any of the dialects can ask for. Decoders fill it without loss; each
 * encoder says of every field what becomes of it.
 */
export interface CompletionRequest {
  model: string;
  stream: boolean;
  /** The caller wants usage in the stream. */
  wantsStreamUsage: boolean;
  messages: Message[];
  tools: ToolDefinition[];
  hostedTools: HostedTool[];
  toolChoice: ToolChoice | null;
  /** May several tools be called at once? null: the provider's default. */
  parallelToolCalls: boolean | null;
  outputFormat: OutputFormat;
  /** null: the model's own limit. */
  maxOutputTokens: number | null;
  stopSequences: string[];
  sampling: Sampling;
  reasoning: Reasoning | null;
  /** Answers to give to the one request. */
  choices: number;
  /** Log probabilities of the output tokens, and of how many alternatives; null: none. */
  logprobs: { alternatives: number } | null;
  /** `text` alone, or with `audio`. */
  modalities: string[];
  verbosity: 'low' | 'medium' | 'high' | null;
  serviceTier: string | null;
  /** A stable name of the end user, for the provider's abuse detection. */
  endUser: string | null;
  metadata: Readonly<Record<string, string>> | null;
  promptCacheKey: string | null;
  /** Members of the body that no field above holds, by name, for the dialect they came from. */
  extra: Readonly<Record<string, unknown>>;
}
