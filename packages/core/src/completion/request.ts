import type { AssistantPart, CacheBreakpoint, TextPart, ToolResultContent, UserPart } from './content.ts';

/** One message of a conversation. */
export type Message =
  /** System instructions, at the start of the conversation or later. */
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
  /** JSON Schema of the arguments; null: no arguments. */
  parameters: Readonly<Record<string, unknown>> | null;
  /** Whether arguments must match the schema; null: the provider's default. */
  strict: boolean | null;
  cache: CacheBreakpoint | null;
}

/** A server tool (web search, code execution), as its dialect writes it. */
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

/** Amount of reasoning; dialects specify an effort or a token budget. */
export type Reasoning =
  | { type: 'off' }
  | { type: 'effort'; effort: ReasoningEffort }
  | { type: 'budget'; tokens: number }
  /** The model decides. */
  | { type: 'adaptive'; effort: ReasoningEffort | null };

/** Sampling parameters; null: the provider's default. */
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
 * A completion request with the features of all dialects. Decoders lose nothing; every encoder
 * defines what happens to each field.
 */
export interface CompletionRequest {
  model: string;
  stream: boolean;
  /** The caller requests usage in the stream. */
  wantsStreamUsage: boolean;
  messages: Message[];
  tools: ToolDefinition[];
  hostedTools: HostedTool[];
  toolChoice: ToolChoice | null;
  /** Whether the model may call several tools in parallel; null: the provider's default. */
  parallelToolCalls: boolean | null;
  outputFormat: OutputFormat;
  /** null: the model's own limit. */
  maxOutputTokens: number | null;
  stopSequences: string[];
  sampling: Sampling;
  reasoning: Reasoning | null;
  /** Number of choices. */
  choices: number;
  /** Log probabilities of output tokens and the number of alternatives; null: none. */
  logprobs: { alternatives: number } | null;
  /** Only `text`, or `text` and `audio`. */
  modalities: string[];
  verbosity: 'low' | 'medium' | 'high' | null;
  serviceTier: string | null;
  /** Stable ID of the end user, for the provider's abuse detection. */
  endUser: string | null;
  metadata: Readonly<Record<string, string>> | null;
  promptCacheKey: string | null;
  /** Other body members by name, for passthrough to the same dialect. */
  extra: Readonly<Record<string, unknown>>;
}
