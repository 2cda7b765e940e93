import type { AssistantPart, UserPart } from '@tollgate/core/completion/content';
import type { CompletionRequest, Sampling } from '@tollgate/core/completion/request';

/** Every field of the canonical request, and every kind of part in its messages. */
type RequestField =
  | Exclude<keyof CompletionRequest, 'sampling'>
  | `sampling.${keyof Sampling}`
  | `content.${(UserPart | AssistantPart)['type']}`;

/** How an encoder maps one field. */
export interface FieldMapping {
  /** `maps`: the target has a name or form for it; `dropped`: left out and listed; `refused`: the request is refused. */
  handling: 'maps' | 'dropped' | 'refused';
  /** The target's name for it; null if it has none. */
  to: string | null;
  /** Where a request of this dialect has the field; absent: in `to`. */
  from?: string;
  remark: string | null;
}

/** A new canonical field does not compile until each dialect defines how to handle it. */
export type FieldTable = Readonly<Record<RequestField, FieldMapping>>;

/** The same in every dialect: see `portable-tools`. */
export const HOSTED_TOOLS =
  'client tools of other dialects become functions; hosted tools are dropped, or refused if the request forces one';

export const OPAQUE_CONTENT =
  'except parts of the target; calls and results of client tools become those of functions, those of dropped tools are dropped, search results become text';
