import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { RequestContract } from './contract.ts';
import { countOf } from './inspect-need.ts';
import type { Inspection } from './inspection.ts';
import type { EntryRule, EntryRules } from './member-rule.ts';

/** No real list of tools is nested deeper. */
const MAX_LEVELS = 4;
/** `_20250305`, `_2025_08_26`: the version of a tool. */
const VERSION = /_\d{4}_?\d{2}_?\d{2}$/;

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

/** Classifies the tools or plugins of a request. */
export function inspectEntries(place: Place, list: EntryList, levels = MAX_LEVELS): void {
  if (!Array.isArray(list.value)) return;
  // Needs of a list share its limit: it bounds the calls of all tools together.
  const { limit } = list.entries;
  const callLimit =
    limit === undefined ? null : readLimit(place.found, { name: limit, value: place.body[limit] });
  for (const [at, entry] of list.value.entries()) {
    const object = asObject(entry);
    if (object !== null)
      inspectEntry(place, { list, object, param: `${list.name}.${at}`, callLimit, levels });
  }
}

interface EntryPlace {
  list: EntryList;
  object: JsonObject;
  param: string;
  callLimit: number | null;
  levels: number;
}

function inspectEntry(place: Place, { list, object, param, callLimit, levels }: EntryPlace): void {
  const { found, contract } = place;
  const { by, absent, kinds } = list.entries;
  const named = object[by] ?? absent;
  const where = `${param}.${by}`;
  if (typeof named !== 'string') {
    found.rejectValue(where, `${where} must be a string.`);
    return;
  }
  const rule = ruleOf(kinds, named);
  const top = list.group ?? list.name.split('.', 1)[0] ?? list.name;
  if (rule?.fate === 'plain' || contract.allowed.has(`${top}.${named}`)) return;
  if (rule === undefined) noteUnknown(found, { object, param, name: `${top}.${named}`, where });
  else if (rule.fate === 'rejected') {
    found.reject(
      where,
      `${named} is not supported: ${rule.because}. Leave it out, or ask the gateway's operator to allow it.`,
    );
  } else if (rule.fate === 'checked') {
    const maxCalls = readLimit(found, { name: `${param}.max_uses`, value: object['max_uses'] });
    noteModel(found, object, param, { isRequired: true, maxCalls });
  } else if (rule.fate === 'group') {
    const inner = { ...list, name: `${param}.${rule.member}`, value: object[rule.member] };
    if (levels > 0) inspectEntries(place, inner, levels - 1);
    else found.rejectValue(param, `${param} is nested too deep.`);
  } else notePriced(found, { rule, object, param, callLimit });
}

/** A model that it names is checked even where it is forwarded. */
function noteUnknown(
  found: Inspection,
  { object, param, name, where }: { object: JsonObject; param: string; name: string; where: string },
): void {
  found.unknownEntries.push({ name, param: where });
  found.reported.push(name);
  noteModel(found, object, param);
  const settings = asObject(object['parameters']);
  if (settings !== null) noteModel(found, settings, `${param}.parameters`);
}

function ruleOf(kinds: EntryRules['kinds'], kind: string): EntryRule | undefined {
  const family = Object.hasOwn(kinds, kind) ? kind : kind.replace(VERSION, '');
  return Object.hasOwn(kinds, family) ? kinds[family] : undefined;
}

function notePriced(
  found: Inspection,
  {
    rule,
    object,
    param,
    callLimit,
  }: {
    rule: Extract<EntryRule, { fate: 'priced' }>;
    object: JsonObject;
    param: string;
    callLimit: number | null;
  },
): void {
  const { tool, limit, local, settings } = rule;
  if (local !== undefined) {
    const type = asObject(object[local.member])?.['type'] ?? 'local';
    if (typeof type === 'string' && local.types.includes(type)) return;
  }
  const inner = settings === undefined ? null : asObject(object[settings]);
  noteModel(found, object, param);
  if (inner !== null) noteModel(found, inner, `${param}.${settings}`);
  const own =
    limit === undefined
      ? null
      : readLimit(found, { name: `${param}.${limit}`, value: object[limit] ?? inner?.[limit] });
  found.need({ kind: 'tool_calls', tool, maxCalls: own ?? callLimit });
}

/** A limit of calls. One that cannot be read is rejected: the provider might read it. @returns null if there is none */
function readLimit(found: Inspection, { name, value }: { name: string; value: unknown }): number | null {
  if (value === undefined || value === null) return null;
  const count = countOf(value);
  if (count === null) found.rejectValue(name, `${name} must be a whole number of at least 1.`);
  return count;
}

function noteModel(
  found: Inspection,
  object: JsonObject,
  param: string,
  { isRequired = false, ...limit }: { isRequired?: boolean; maxCalls?: number | null } = {},
): void {
  const model = object['model'] ?? null;
  if (typeof model === 'string' && model !== '')
    found.models.push({ model, param: `${param}.model`, ...limit });
  else if (model !== null || isRequired)
    found.rejectValue(`${param}.model`, `${param}.model must be the name of a model.`);
}
