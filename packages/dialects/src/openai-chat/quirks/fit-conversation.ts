import { EncodeReport } from '../../encode-report.ts';
import type { GatewayError } from '@tollgate/core/errors/errors';
import { JsonObjectBytes, type Edit } from '../../json/edit-members.ts';
import { findMarks } from '../../json/find-marks.ts';
import { readEntryPlaces } from '../../json/member-places.ts';
import { parseJsonObject, type JsonObject } from '../../json/parse-object.ts';
import { placeChatBreakpoints } from '../../prompt-cache/place-chat-breakpoints.ts';
import type { ProviderQuirks } from './provider-quirks.ts';
import { getFits } from './quirk-table.ts';

/** What a provider's quirks depend on. */
export interface QuirkTarget {
  quirks: ProviderQuirks;
  /** The provider's name for the model. */
  model: string;
}

/** How the messages and tools of a caller's body change for a provider. Plain data: it can be sent to a thread. */
export interface FittedConversation {
  messages: readonly Edit[];
  tools: readonly Edit[];
  dropped: readonly string[];
  /** `unsupported_parameter`; null: the provider can be sent the request. */
  refusal: GatewayError | null;
}

export const UNCHANGED: FittedConversation = { messages: [], tools: [], dropped: [], refusal: null };

/**
 * Applies a provider's quirks to the messages and tools of a caller's body. It reads only the messages and tools that a
 * quirk may change, each once: the time is linear in the size of the body.
 */
export function fitConversation(body: JsonObjectBytes, { quirks, model }: QuirkTarget): FittedConversation {
  const fits = getFits(quirks);
  const report = new EncodeReport();
  const context = { model, report };
  const marks = fits.marks(model);
  const breakpoints = quirks.takesCacheControl ? placeChatBreakpoints(body, model) : NONE;
  if (findMarks(body.bytes, marks)?.length === 0)
    return breakpoints.length === 0 ? UNCHANGED : { ...UNCHANGED, messages: breakpoints };
  const messages = fitEntries(body, { name: 'messages', marks }, (message, index) =>
    fits.fitMessage(message, { ...context, at: `messages.${index}` }),
  );
  const tools = fitEntries(body, { name: 'tools', marks }, (tool) => fits.fitTool(tool, context));
  const placed = breakpoints.filter((edit) => !messages.some((other) => isOverlapping(edit, other)));
  return { messages: [...messages, ...placed], tools, dropped: report.dropped, refusal: report.refusal };
}

const NONE: readonly never[] = [];

const isOverlapping = (one: Edit, other: Edit): boolean => one.start < other.end && other.start < one.end;

/** Edits the entries of a list that contain a mark, each by its members. */
export function fitEntries(
  body: JsonObjectBytes,
  { name, marks }: { name: string; marks: readonly string[] },
  fit: (entry: JsonObject, index: number) => JsonObject,
): Edit[] {
  const place = body.findPlace(name);
  if (place === null) return [];
  const { bytes } = body;
  const found = findMarks(bytes.subarray(place.start, place.end), marks);
  if (found?.length === 0) return [];
  const places = readEntryPlaces(bytes, place.start);
  const edits: Edit[] = [];
  for (let at = 0; at < places.length; at += 2) {
    const start = places[at] ?? 0;
    const entry = bytes.subarray(start, places[at + 1]);
    if (found?.some((mark) => entry.includes(mark)) === false) continue;
    const given = parseJsonObject(entry.toString('utf8'));
    if (given === null) continue;
    const fitted = fit(given, at / 2);
    if (fitted === given) continue;
    for (const edit of new JsonObjectBytes(entry).listEdits(difference(given, fitted)))
      edits.push({ ...edit, start: edit.start + start, end: edit.end + start });
  }
  return edits;
}

/** The members that differ. A value that is the same object did not change. */
export function difference(
  given: JsonObject,
  fitted: JsonObject,
): { drops: string[]; changes: Record<string, string> } {
  const drops = Object.keys(given).filter((name) => !Object.hasOwn(fitted, name));
  const changed = Object.entries(fitted).filter(
    ([name, value]) => !Object.hasOwn(given, name) || given[name] !== value,
  );
  return {
    drops,
    changes: Object.fromEntries(changed.map(([name, value]) => [name, JSON.stringify(value)])),
  };
}
