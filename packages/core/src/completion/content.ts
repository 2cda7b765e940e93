/**
 * Dialect-independent message parts. Every dialect can be decoded into them. If a target dialect
 * cannot express a part, its encoder rejects or drops it; decoders never do.
 */

/** A prompt-cache breakpoint after a part (Anthropic's `cache_control`); null: none. */
export interface CacheBreakpoint {
  /** Lifetime of the entry; null: the provider's default. */
  ttl: '5m' | '1h' | null;
}

/** Source of binary content. */
export type ContentSource =
  | { kind: 'base64'; mediaType: string; data: string }
  | { kind: 'url'; url: string }
  /** A file uploaded to the provider. */
  | { kind: 'file'; fileId: string };

export interface TextPart {
  type: 'text';
  text: string;
  /** Citations; only in responses and in assistant messages that repeat them. */
  citations: Citation[];
  cache: CacheBreakpoint | null;
}

export interface ImagePart {
  type: 'image';
  source: ContentSource;
  detail: 'auto' | 'low' | 'high' | null;
  cache: CacheBreakpoint | null;
}

/** A PDF or plain-text document. */
export interface DocumentPart {
  type: 'document';
  source: ContentSource | { kind: 'text'; text: string };
  /** File name or document title. */
  title: string | null;
  /** Anthropic only: context for the model, and whether it may cite the document. */
  context: string | null;
  citable: boolean;
  cache: CacheBreakpoint | null;
}

export interface AudioPart {
  type: 'audio';
  format: 'wav' | 'mp3';
  /** Base64. */
  data: string;
}

/** The model's reasoning text. */
export interface ThinkingPart {
  type: 'thinking';
  text: string;
  /** Thinking signature; must be returned unchanged in the next turn. null: none. */
  signature: string | null;
}

/** Encrypted reasoning; must be returned unchanged in the next turn. */
export interface RedactedThinkingPart {
  type: 'redacted_thinking';
  data: string;
}

export interface ToolCallPart {
  type: 'tool_call';
  id: string;
  name: string;
  /** JSON text from the model; invalid if it was cut off. */
  arguments: string;
  cache: CacheBreakpoint | null;
}

export interface RefusalPart {
  type: 'refusal';
  text: string;
}

/** A part that only one dialect has, such as a server-tool block. */
export interface OpaquePart {
  type: 'opaque';
  /** The dialect that has it. */
  dialect: string;
  /** Its name in the dialect, for error messages: `server_tool_use`. */
  name: string;
  value: Readonly<Record<string, unknown>>;
}

export interface Citation {
  /** The cited text; null if the dialect has none. */
  citedText: string | null;
  title: string | null;
  url: string | null;
  /** Offsets into the text of the part, if the dialect has them. */
  start: number | null;
  end: number | null;
  /** The citation as the dialect wrote it, for the same dialect. */
  original: Readonly<Record<string, unknown>>;
}

export type UserPart = TextPart | ImagePart | DocumentPart | AudioPart | OpaquePart;
export type AssistantPart =
  | TextPart
  | ThinkingPart
  | RedactedThinkingPart
  | ToolCallPart
  | RefusalPart
  | OpaquePart;
export type ToolResultContent = TextPart | ImagePart | DocumentPart | OpaquePart;
