/**
 * The parts that messages are made of, as no dialect writes them and every dialect can be read into them. A part that a
 * target cannot express is refused or dropped by its encoder, never by its decoder.
 */

/** A prompt-cache breakpoint behind a part (Anthropic's `cache_control`); null: none. */
export interface CacheBreakpoint {
  /** How long the entry is kept; null: the provider's default. */
  ttl: '5m' | '1h' | null;
}

/** Where binary content is. */
export type ContentSource =
  | { kind: 'base64'; mediaType: string; data: string }
  | { kind: 'url'; url: string }
  /** A file that was uploaded to the provider before. */
  | { kind: 'file'; fileId: string };

export interface TextPart {
  type: 'text';
  text: string;
  /** Where the model took what it says from; only in answers and in assistant messages that repeat them. */
  citations: Citation[];
  cache: CacheBreakpoint | null;
}

export interface ImagePart {
  type: 'image';
  source: ContentSource;
  detail: 'auto' | 'low' | 'high' | null;
  cache: CacheBreakpoint | null;
}

/** A document: a PDF, or plain text. */
export interface DocumentPart {
  type: 'document';
  source: ContentSource | { kind: 'text'; text: string };
  /** The name of the file, or the title of the document. */
  title: string | null;
  /** Anthropic alone: what the model should know of the document, and whether it may cite it. */
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

/** What a model thought before it answered. */
export interface ThinkingPart {
  type: 'thinking';
  text: string;
  /** The provider's proof that the text is its own; it must come back unchanged in the next turn. null: none was given. */
  signature: string | null;
}

/** Thought that the provider shows to nobody; the bytes must come back unchanged in the next turn. */
export interface RedactedThinkingPart {
  type: 'redacted_thinking';
  data: string;
}

export interface ToolCallPart {
  type: 'tool_call';
  id: string;
  name: string;
  /** JSON text, as the model wrote it: it may be cut off, and so be no JSON. */
  arguments: string;
  cache: CacheBreakpoint | null;
}

export interface RefusalPart {
  type: 'refusal';
  text: string;
}

/** Anything that one dialect alone has, such as the blocks of tools which a provider runs itself. */
export interface OpaquePart {
  type: 'opaque';
  /** The dialect that can carry it. */
  dialect: string;
  /** The name of it there, for the error message: `server_tool_use`. */
  name: string;
  value: Readonly<Record<string, unknown>>;
}

export interface Citation {
  /** What is cited, in the words of the source; null where the dialect gives none. */
  citedText: string | null;
  title: string | null;
  url: string | null;
  /** Offsets into the text of the part, where the dialect gives them. */
  start: number | null;
  end: number | null;
  /** The citation as its dialect wrote it, to be given back there unchanged. */
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
