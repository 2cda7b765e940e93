import type { AssistantPart, UserPart } from '@tollgate/core/completion/content';
import type { CompletionRequest, Sampling } from '@tollgate/core/completion/request';

/** Every field of the canonical request, and every kind of part that its messages hold. */
type RequestField =
  | Exclude<keyof CompletionRequest, 'sampling'>
  | `sampling.${keyof Sampling}`
  | `content.${(UserPart | AssistantPart)['type']}`;

/** How an encoder maps one field. */
export interface FieldMapping {
  /** `maps`: the target says it in its own way; `dropped`: left out and named; `refused`: the request is denied. */
  fate: 'maps' | 'dropped' | 'refused';
  /** The target's name of the field; null if it has none. */
  to: string | null;
  remark: string | null;
}

/** A new canonical field does not compile until each dialect maps it. */
export type FieldTable = Readonly<Record<RequestField, FieldMapping>>;
