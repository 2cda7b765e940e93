import type { Dialect } from '@tollgate/core/models/dialect';
import type { Edit, JsonObjectBytes } from '../json/edit-members.ts';

/** The provider that is sent a conversation in its own dialect. */
export interface HistoryTarget {
  dialect: Dialect;
  /** The provider's name for the model. */
  model: string;
  /** True if the provider has a preset; a custom server can be anything. */
  isKnown: boolean;
  /** True for Anthropic's own API. */
  isAnthropic: boolean;
  /** True: the provider has refused the reasoning in the conversation, so all of it is left out; absent: it has not. */
  dropsReasoning?: boolean;
}

/** How a caller's own body changes. Plain data: it can be sent to a thread. */
export interface FittedHistory {
  /** Edits inside of the conversation. */
  edits: readonly Edit[];
  /** Members of the body that are taken out. */
  drops: readonly string[];
  /** What is left out, in the caller's terms. */
  dropped: readonly string[];
}

/** How a dialect's conversations change. */
export interface HistoryFit {
  /** The marks of all targets. */
  marks: readonly string[];
  /** Texts of which a conversation that changes has one; see `findMarks`. */
  getMarks(target: HistoryTarget): readonly string[];
  /** True if conversations without a mark can change too; absent: false. */
  dependsOnTurns?(body: JsonObjectBytes, target: HistoryTarget): boolean;
  fit(body: JsonObjectBytes, target: HistoryTarget): FittedHistory;
}

export const UNCHANGED: FittedHistory = { edits: [], drops: [], dropped: [] };
