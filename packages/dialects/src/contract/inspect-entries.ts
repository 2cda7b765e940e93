import { asObject, type JsonObject } from '../json/parse-object.ts';
import { withoutDate } from '../without-date.ts';
import type { RequestContract } from './contract.ts';
import { noteNested, restrictStoredIds } from './inspect-nested.ts';
import type { Inspection } from './inspection.ts';
import type { EntryRule, EntryRules } from './member-rule.ts';
import { mayHoldStoredId, noteStoredId } from './nested-names.ts';
import { boundCalls, needCalls } from './priced-calls.ts';
import type { StoredId } from './stored-ids.ts';

/** No real list of tools is nested deeper. */
const MAX_LEVELS = 4;

interface Place {
  found: Inspection;
  contract: RequestContract;
  body: JsonObject;
}

interface EntryList {
  /** The path of the list: `tools`. */
  name: string;
  /** The name under which operators allow its entries; absent: the first part of the path. */
  group?: string;
  value: unknown;
  entries: EntryRules;
}

/** Classifies the tools or plugins of a request. Another shape is rejected: a provider may read it all the same. */
export function inspectEntries(place: Place, list: EntryList, levels = MAX_LEVELS): void {
  const { found } = place;
  const value = list.value ?? null;
  if (value === null) return;
  if (!Array.isArray(value)) {
    found.rejectValue(list.name, `${list.name} must be a list.`);
    return;
  }
  for (const [at, entry] of value.entries()) {
    const param = `${list.name}.${at}`;
    const object = asObject(entry);
    if (object === null) found.rejectValue(param, `${param} must be an object.`);
    else inspectEntry(place, { list, object, param, levels });
  }
}

interface EntryPlace {
  list: EntryList;
  object: JsonObject;
  param: string;
  levels: number;
}

function inspectEntry(place: Place, { list, object, param, levels }: EntryPlace): void {
  const { found, contract } = place;
  const { by, kinds } = list.entries;
  const named = object[by] ?? kindWithout(list.entries, object);
  const where = `${param}.${by}`;
  if (typeof named !== 'string') {
    found.rejectValue(where, `${where} must be a string.`);
    return;
  }
  const rule = getRule(kinds, named);
  const top = list.group ?? list.name.split('.', 1)[0] ?? list.name;
  const name = `${top}.${rule === undefined ? named : getFamily(kinds, named)}`;
  const isAllowed =
    contract.allowed.size > 0 && (contract.allowed.has(name) || contract.allowed.has(`${top}.${named}`));
  const nested = { value: object, param, group: top };
  if (rule === undefined) {
    found.hasUncountedTools = true;
    if (!isAllowed) noteUnknown(place, { name, where });
    noteNested(place, nested);
    return;
  }
  switch (rule.handling) {
    case 'opaque':
      rejectForeign(place, { object, param, top });
      return;
    case 'plain':
      found.hasUncountedTools ||= rule.isUncounted === true && !isLocal(rule.local, object);
      noteNested(place, nested);
      return;
    case 'rejected':
      if (isAllowed) {
        found.hasUncountedTools = true;
        noteNested(place, nested);
      } else
        found.reject(
          where,
          `${named} is not supported: ${rule.because}. Leave it out, or ask the gateway's operator to allow it.`,
        );
      return;
    case 'restricted':
      found.hasUncountedTools = true;
      noteNested(place, nested);
      if (!isAllowed) found.restricted.push({ param: where, because: rule.because, allowedAs: name });
      return;
    case 'checked': {
      const maxCalls = boundCalls(place, rule.bound, { holder: object, param, allowedAs: name });
      noteModel(found, { object, param, maxCalls });
      noteNested(place, { ...nested, skip: ['model'] });
      return;
    }
    case 'group': {
      const inner = { ...list, name: `${param}.${rule.member}`, value: object[rule.member] };
      if (levels > 0) inspectEntries(place, inner, levels - 1);
      else found.rejectValue(param, `${param} is nested too deep.`);
      noteNested(place, { ...nested, skip: [rule.member] });
      return;
    }
    case 'priced':
      notePriced(place, { rule, object, param, top, name });
  }
}

function isLocal(local: { member: string; value: string } | undefined, object: JsonObject): boolean {
  return local !== undefined && object[local.member] === local.value;
}

/** Members of a caller's tool that hold its description in some dialects. */
const DESCRIPTIONS = ['function', 'custom'] as const;
/** One of them says what a tool is that the caller runs. */
const CALLERS_MEMBERS = [...DESCRIPTIONS, 'name'] as const;
const MODEL_MEMBER = /models?$/i;

/**
 * A tool that the caller runs names no model and nothing that the provider stores, but a provider may take it for one of its
 * own that does: by its name.
 */
function rejectForeign(
  place: Place,
  { object, param, top }: { object: JsonObject; param: string; top: string },
): void {
  rejectForeignMembers(place, object, { param, holder: null, top });
  for (const holder of DESCRIPTIONS) {
    const members = asObject(object[holder]);
    if (members !== null) rejectForeignMembers(place, members, { param, holder, top });
  }
}

/** @param path `holder` is the member of the tool with these members; null: they are its own */
function rejectForeignMembers(
  { found, contract }: Place,
  members: JsonObject,
  { param, holder, top }: { param: string; holder: string | null; top: string },
): void {
  for (const name in members) {
    const isModel = MODEL_MEMBER.test(name) && (members[name] ?? null) !== null;
    // Most have no such name: the path is not written for them.
    if (!isModel && !mayHoldStoredId(name)) continue;
    const where = holder === null ? `${param}.${name}` : `${param}.${holder}.${name}`;
    const storedIds: StoredId[] = [];
    noteStoredId(storedIds, name, { value: members[name], param: where });
    restrictStoredIds({ found, contract }, storedIds);
    if (!isModel || contract.allowed.has(`${top}.${name}`)) continue;
    found.reject(
      where,
      `${where} is not supported: a tool that the caller runs has no model. Leave it out, or name the tool's type.`,
    );
  }
}

/** The kind of an entry that does not name it: `{"google_search":{}}` has that of its only member, which no contract knows. */
function kindWithout({ absent }: EntryRules, object: JsonObject): string | null {
  const present = Object.keys(object).filter((name) => (object[name] ?? null) !== null);
  if (absent === null || CALLERS_MEMBERS.some((name) => present.includes(name))) return absent;
  return present[0] ?? absent;
}

function noteUnknown({ found }: Place, { name, where }: { name: string; where: string }): void {
  if (found.report(name, where)) found.unknownEntries.push({ name, param: where });
}

function getRule(kinds: EntryRules['kinds'], kind: string): EntryRule | undefined {
  const family = getFamily(kinds, kind);
  return Object.hasOwn(kinds, family) ? kinds[family] : undefined;
}

/** A kind without the version of the tool, unless the contract names the version. */
function getFamily(kinds: EntryRules['kinds'], kind: string): string {
  return Object.hasOwn(kinds, kind) ? kind : withoutDate(kind);
}

interface PricedEntry {
  rule: Extract<EntryRule, { handling: 'priced' }>;
  object: JsonObject;
  param: string;
  top: string;
  /** The name under which the operator allows it. */
  name: string;
}

/** Memory of a container at the standard price (https://platform.openai.com/docs/pricing). */
const PLAIN_MEMORY = '1g';

/** That the operator allows a tool does not make it free: it needs its rate all the same. */
function notePriced(place: Place, { rule, object, param, top, name }: PricedEntry): void {
  const { found, contract } = place;
  const { local, settings } = rule;
  noteNested(place, { value: object, param, group: top });
  if (local !== undefined) {
    const holder = object[local.member] ?? null;
    if (holder !== null && asObject(holder) === null) {
      found.rejectValue(`${param}.${local.member}`, `${param}.${local.member} must be an object.`);
      return;
    }
    const type = asObject(holder)?.['type'] ?? 'local';
    if (typeof type === 'string' && local.types.includes(type)) return;
  }
  for (const member of ['container', 'environment']) {
    if (Array.isArray(object[member]))
      found.rejectValue(`${param}.${member}`, `${param}.${member} must not be a list.`);
    const memory = asObject(object[member])?.['memory_limit'] ?? PLAIN_MEMORY;
    const allowedAs = `${top}.memory_limit`;
    if (memory === PLAIN_MEMORY || contract.allowed.has(allowedAs)) continue;
    const because = 'larger containers have a separate price';
    found.restricted.push({ param: `${param}.${member}.memory_limit`, because, allowedAs });
  }
  const inner = settings === undefined ? null : asObject(object[settings]);
  const { bound } = rule;
  const isInside =
    settings !== undefined &&
    bound.by === 'entry' &&
    (object[bound.member] === undefined || object[bound.member] === null);
  needCalls(place, {
    priced: rule,
    holder: isInside ? inner : object,
    param: isInside ? `${param}.${settings}` : param,
    allowedAs: name,
  });
}

/** The model of a tool that calls another model. */
function noteModel(
  found: Inspection,
  { object, param, maxCalls }: { object: JsonObject; param: string; maxCalls: number | null },
): void {
  const model = object['model'] ?? null;
  if (typeof model === 'string' && model !== '')
    found.models.push({ model, param: `${param}.model`, maxCalls });
  else found.rejectValue(`${param}.model`, `${param}.model must be the name of a model.`);
}
