import type { Buffer } from 'node:buffer';
import type { Dialect } from '@tollgate/core/models/dialect';
import type { JsonObjectBytes, MemberEdits } from '../json/edit-members.ts';
import { findMarks } from '../json/find-marks.ts';
import { findInOutline, type BodyOutline } from '../outline/outline-body.ts';
import { chatHistory } from './chat-history.ts';
import { UNCHANGED, type FittedHistory, type HistoryFit, type HistoryTarget } from './history-target.ts';
import { messagesHistory } from './messages-history.ts';
import { responsesHistory } from './responses-history.ts';

/**
 * Takes out of a conversation what its provider would refuse because another provider or the gateway wrote it: reasoning
 * without the provider's own signature, and ids that carry signatures. Its own signatures are sent back as they were. It
 * reads only conversations with marks of these, each once.
 * @param body a caller's own body, in the provider's dialect
 * @param known as `findHistoryMarks` returns it for the body; null: not searched yet
 */
export function fitHistory(
  body: JsonObjectBytes,
  target: HistoryTarget,
  known: readonly string[] | null = null,
): FittedHistory {
  return mayFitHistory(body, target, known) ? FITS[target.dialect].fit(body, target) : UNCHANGED;
}

/** False if a conversation certainly stays as it is. Native searches, almost without reading the JSON. */
export function mayFitHistory(
  body: JsonObjectBytes,
  target: HistoryTarget,
  known: readonly string[] | null = null,
): boolean {
  if (target.dropsReasoning === true) return true;
  const fits = FITS[target.dialect];
  const marks = fits.getMarks(target);
  const isMarked =
    known === null ? findMarks(body.bytes, marks)?.length !== 0 : marks.some((mark) => known.includes(mark));
  return isMarked || fits.dependsOnTurns?.(body, target) === true;
}

/** Finds the marks of all targets that may be in a body. It takes milliseconds for a large one: that is for a thread. */
export function findHistoryMarks(body: Buffer, dialect: Dialect): readonly string[] {
  const { marks } = FITS[dialect];
  return findMarks(body, marks) ?? marks;
}

/** The same for the last outline, which has every name and the begin of every text. Almost without cost. */
export function findOutlinedMarks({ json }: BodyOutline, dialect: Dialect): readonly string[] {
  const { marks } = FITS[dialect];
  const found = findInOutline(SEARCHED[dialect]);
  if (found.includes(ESCAPE)) return findMarks(json, marks) ?? marks;
  return found;
}

/** Of a character that a mark may have. */
const ESCAPE = '\\u00';

const FITS: Record<Dialect, HistoryFit> = {
  'openai-chat': chatHistory,
  'anthropic-messages': messagesHistory,
  'openai-responses': responsesHistory,
};
/** What outlines are searched for. */
const SEARCHED: Record<Dialect, readonly string[]> = {
  'openai-chat': [ESCAPE, ...chatHistory.marks],
  'anthropic-messages': [ESCAPE, ...messagesHistory.marks],
  'openai-responses': [ESCAPE, ...responsesHistory.marks],
};
const LISTS = ['messages', 'input'];

/** Adds the changes of a conversation to the edits of its body. */
export function withHistory(edits: MemberEdits, { edits: inside, drops }: FittedHistory): MemberEdits {
  if (inside.length === 0 && drops.length === 0) return edits;
  const isReplaced = LISTS.some((name) => name in edits.changes || edits.drops.includes(name));
  const kept = Object.entries(edits.changes).filter(([name]) => !drops.includes(name));
  return {
    drops: [...edits.drops, ...drops],
    changes: Object.fromEntries(kept),
    inside: [...(edits.inside ?? []), ...(isReplaced ? [] : inside)],
  };
}
