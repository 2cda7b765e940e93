import type { AssistantPart, UserPart } from '@tollgate/core/completion/content';
import type { CompletionRequest, Sampling } from '@tollgate/core/completion/request';

/** Every field of the canonical request, and every kind of part in its messages. */
type RequestField =
  | Exclude<keyof CompletionRequest, 'sampling'>
  | `sampling.${keyof Sampling}`
  | `content.${(UserPart | AssistantPart)['type']}`;

/** How an encoder maps one field. */
export interface FieldMapping {
  /** `maps`: the target has a name or form for it; `dropped`: left out and listed; `refused`: the request is denied. */
  fate: 'maps' | 'dropped' | 'refused';
  /** The target's name for it; null if it has none. */
  to: string | null;
  remark: string | null;
}

/** A new canonical field does not compile until each dialect defines how to handle it. */
export type FieldTable = Readonly<Record<RequestField, FieldMapping>>;

/** The same in every dialect: see `portable-tools`. */
export const HOSTED_TOOLS =
  'tools of other dialects that the caller runs become functions; tools that a provider runs are dropped, or refused if the request forces one';

export const OPAQUE_CONTENT =
  'except those of this dialect; calls and results of tools become those of functions or are dropped with their tools, search results become text';
