import { asObject, type JsonObject } from '../json/parse-object.ts';
import { STORED_ID_MEMBERS, STORED_OBJECTS, type StoredId } from './stored-ids.ts';

/** `model`, `models`, `draft_model`, `fallbackModel`. */
const NAMES_MODEL = /^models?$|_models?$|Models?$/;

/** Models and ids that the members of a value name. */
export interface NestedNames {
  /** Members that may name a model, with their values. */
  models: { param: string; value: unknown }[];
  storedIds: StoredId[];
}

/** True if a member of this name may name a model. */
const isModelName = (name: string): boolean => NAMES_MODEL.test(name);

/**
 * Finds models and stored ids in a value, by the names of its members, at any depth.
 * @param param the path of the value: `moderation`
 * @param skip members of the value itself that are skipped
 */
export function findNestedNames(value: unknown, param: string, skip: readonly string[] = []): NestedNames {
  const found: NestedNames = { models: [], storedIds: [] };
  visit(found, { value, param, skip });
  return found;
}

function visit(
  found: NestedNames,
  { value, param, skip }: { value: unknown; param: string; skip: readonly string[] },
): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const [at, entry] of value.entries()) visit(found, { value: entry, param: `${param}.${at}`, skip });
    return;
  }
  // Skills of the provider itself, such as `pptx`, are not stored ones.
  const isOwnSkill = 'type' in value && value.type === 'anthropic';
  for (const [name, inner] of Object.entries(value)) {
    if (inner === null || skip.includes(name) || SCHEMA_MEMBERS.has(name)) continue;
    if (isOwnSkill && name === 'skill_id') continue;
    const path = `${param}.${name}`;
    if (isModelName(name)) found.models.push({ param: path, value: inner });
    else {
      noteStoredId(found.storedIds, name, { value: inner, param: path });
      visit(found, { value: inner, param: path, skip: NONE });
    }
  }
}

const NONE: readonly string[] = [];
/** Members of a JSON schema whose own members have names of the caller's choice. */
const SCHEMA_MEMBERS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
]);

/** False if no member of this name holds a stored id. */
export const mayHoldStoredId = (name: string): boolean => STORED_NAMES.has(name);

const STORED_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(STORED_ID_MEMBERS),
  ...Object.keys(STORED_OBJECTS),
]);

/** Notes a member that holds a stored id. */
export function noteStoredId(
  found: StoredId[],
  name: string,
  { value, param }: { value: unknown; param: string },
): void {
  if (!mayHoldStoredId(name)) return;
  const kind = Object.hasOwn(STORED_ID_MEMBERS, name) ? STORED_ID_MEMBERS[name] : undefined;
  if (kind !== undefined) {
    if (isId(value)) found.push({ kind, param });
    return;
  }
  const owner = Object.hasOwn(STORED_OBJECTS, name) ? STORED_OBJECTS[name] : undefined;
  if (owner === undefined) return;
  if (isIdObject(asObject(value))) found.push({ kind: owner, param: `${param}.id` });
  else if (owner === 'container' && isId(value)) found.push({ kind: owner, param });
}

function isIdObject(object: JsonObject | null): boolean {
  return object !== null && isId(object['id']);
}

function isId(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || (Array.isArray(value) && value.length > 0);
}
