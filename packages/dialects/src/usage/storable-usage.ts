import { boundName } from '@tollgate/core/requests/storable-name';
import { asObject, type JsonObject } from '../json/parse-object.ts';

/** Replaces a text: readers of usage treat it like any other text that is no count, so what they read stays the same. */
const OMITTED = '…';
/** Usage is read at most three levels deep. */
const MAX_DEPTH = 8;
/** Of the objects in a list such as `iterations`. */
const ITERATION_DEPTH = 2;
const ERROR_MEMBERS: ReadonlySet<string> = new Set(['error', 'errors']);
/** Names of members; a sentence is none. */
const NAME = /^[\w.$-]{1,64}$/;
/** Names without a credential: words, perhaps with a few digits such as `ephemeral_1h_input_tokens`. */
const PLAIN_NAME = /^[a-z]+(?:[A-Z_][a-z]*)*(?:_\d{1,2}[a-z]?(?:_[a-z]+)+)?$/;
/** Counts and amounts in the form of a text. */
const NUMBER = /^\s*[\d.]+(?:e[+-]?\d+)?\s*$/i;
/** Values that are names: tiers, places, types, models. */
const WORD = /^[\w.:@/+-]{1,200}$/;
/** The usual ones, which are not searched for credentials. */
const USUAL_WORDS: ReadonlySet<string> = new Set([
  'auto',
  'batch',
  'default',
  'fast',
  'flex',
  'global',
  'message',
  'not_available',
  'on_demand',
  'priority',
  'scale',
  'standard',
  'us',
]);

/**
 * Copies a provider's usage object for the records, which operators can read: without errors and free text, which may
 * repeat the caller's request, and without credentials. Counts, amounts and names stay, and the copy decodes to the same
 * usage. An object of nothing but counts is returned itself, because most are, and a copy takes as long as the rest of the
 * metering.
 * @param redact removes credentials from a text
 */
export function toStorableUsage(raw: JsonObject, redact: (text: string) => string): JsonObject {
  return hasCountsOnly(raw, 0) ? raw : copyObject(raw, redact, 0);
}

/** Plain names that were seen before: providers use a few dozen. */
const seenNames = new Set<string>();
const MAX_SEEN_NAMES = 512;

function hasCountsOnly(object: JsonObject, depth: number): boolean {
  if (depth >= MAX_DEPTH) return false;
  for (const name in object) {
    if (!isCountName(name)) return false;
    const value = object[name];
    if (typeof value === 'number' || value === null) continue;
    if (typeof value !== 'object' || Array.isArray(value)) return false;
    const inner = asObject(value);
    if (inner === null || !hasCountsOnly(inner, depth + 1)) return false;
  }
  return true;
}

function isCountName(name: string): boolean {
  if (seenNames.has(name)) return true;
  if (ERROR_MEMBERS.has(name) || !PLAIN_NAME.test(name)) return false;
  if (seenNames.size >= MAX_SEEN_NAMES) seenNames.clear();
  seenNames.add(name);
  return true;
}

function copyObject(object: JsonObject, redact: (text: string) => string, depth: number): JsonObject {
  const copy: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    if (!isStorableName(name, redact)) continue;
    if (ERROR_MEMBERS.has(name)) copy.push([name, OMITTED]);
    // An iteration is billed as its model, whose name is stored with any characters.
    else if (name === 'model' && depth === ITERATION_DEPTH && typeof value === 'string')
      copy.push([name, redact(boundName(value))]);
    else copy.push([name, copyValue(value, redact, depth)]);
  }
  return Object.fromEntries(copy);
}

function copyValue(value: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return copyText(value, redact);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return OMITTED;
  if (Array.isArray(value)) return value.map((entry: unknown) => copyValue(entry, redact, depth + 1));
  const object = asObject(value);
  return object === null ? OMITTED : copyObject(object, redact, depth + 1);
}

function copyText(text: string, redact: (text: string) => string): string {
  if (USUAL_WORDS.has(text) || NUMBER.test(text)) return text;
  return WORD.test(text) ? redact(text) : OMITTED;
}

function isStorableName(name: string, redact: (text: string) => string): boolean {
  return PLAIN_NAME.test(name) || (NAME.test(name) && redact(name) === name);
}
