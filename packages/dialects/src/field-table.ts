import type { AssistantPart, UserPart } from '@tollgate/core/completion/content';
import type { CompletionRequest, Sampling } from '@tollgate/core/completion/request';
import { STOP_LIMITS } from './stop-sequences/stop-scanner.ts';

/** Every field of the canonical request, and every kind of part in its messages. */
type RequestField =
  | Exclude<keyof CompletionRequest, 'sampling'>
  | `sampling.${keyof Sampling}`
  | `content.${(UserPart | AssistantPart)['type']}`;

/** How an encoder maps one field. */
export interface FieldMapping {
  /**
   * `maps`: the target has a name or form for it; `applied`: the gateway applies it to the response; `dropped`: left out and
   * listed; `refused`: the request is refused.
   */
  handling: 'maps' | 'applied' | 'dropped' | 'refused';
  /** The target's name for it; null if it has none. */
  to: string | null;
  /** Where a request of this dialect has the field; absent: in `to`. */
  from?: string;
  remark: string | null;
  /** False: a request of this dialect cannot have the field. Absent: it can if there is a name or a remark. */
  isAskable?: false;
}

/** A new canonical field does not compile until each dialect defines how to handle it. */
export type FieldTable = Readonly<Record<RequestField, FieldMapping>>;

/** The same in every dialect: see `portable-tools`. */
export const HOSTED_TOOLS =
  'tools of the source besides functions: client tools become functions; hosted tools are dropped, or refused if the request forces one';

export const REASONING_EFFORT =
  'a thinking budget becomes an effort: up to 1,024 tokens `low`, up to 8,192 `medium`, above `high`; if thinking is turned off, the model’s lowest effort is sent, or none if the model is unknown';

export const PROMPT_CACHE_KEY =
  'dropped if it has more than 64 characters; for Claude Code, the gateway derives it from the session';

export const SERVICE_TIER = '`standard_only` becomes `default`; tiers that OpenAI does not know are dropped';

export const APPLIED_STOPS = `at most ${STOP_LIMITS.maxSequences} sequences of ${STOP_LIMITS.maxLength} characters; what the model writes after one is billed, but not sent`;

export const NO_CHOICES = 'only 1 is accepted';

export const ONLY_TEXT = 'only `text` is accepted';

/** Members that refer to stored state are resolved before the translation, for accounts that store responses. */
export const STATE_REFUSED =
  '`prompt` is refused, and so are `previous_response_id`, `conversation` and `background` unless the account stores responses';

export const OPAQUE_CONTENT =
  'content of a kind that the gateway does not know; sent unchanged if the target has this kind; calls and results of client tools become those of functions, those of dropped tools are dropped, and search results, references to tools and Anthropic’s compactions become text';
