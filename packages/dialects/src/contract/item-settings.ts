import type { JsonObject } from '../json/parse-object.ts';
import { isConfigurationUpdate } from '../openai-responses/configuration-update.ts';
import { isContentItem } from '../openai-responses/input-traits.ts';
import type { RequestContract } from './contract.ts';
import { findNestedNames, type NestedNames } from './nested-names.ts';

/** An item of `input` that may set what members of the request set: the model, the price, the output. */
export interface ItemSettings {
  /** Its place: `input.2`. */
  param: string;
  type: string;
  /** The names of its members. */
  names: string[];
  /** Members that are checked with the rules of the request's own. */
  checked: JsonObject;
  models: NestedNames['models'];
  storedIds: NestedNames['storedIds'];
}

/** Members that such an item may have. None of them changes the price. */
const MEMBERS_OF_UPDATE: ReadonlySet<string> = new Set(['type', 'id', 'status', 'reasoning', 'text']);
/** Members of such an item whose own members have rules. */
const CHECKED_MEMBERS = ['reasoning', 'text'] as const;
const NONE: readonly string[] = [];

/** @returns null for an item that is only content of the conversation */
export function findItemSettings(item: JsonObject, param: string): ItemSettings | null {
  if (isContentItem(item)) return null;
  const type = typeof item['type'] === 'string' ? item['type'] : '';
  const names = Object.keys(item).filter((name) => (item[name] ?? null) !== null);
  const checkedNames = isConfigurationUpdate(item)
    ? CHECKED_MEMBERS.filter((name) => names.includes(name))
    : NONE;
  const checked = Object.fromEntries(checkedNames.map((name) => [name, item[name]]));
  return { param, type, names, checked, ...findNestedNames(item, param, ['tools', ...checkedNames]) };
}

/** The members of an item that may change what the request costs. The operator allows them with the item's name. */
export function findPricedSettings({ type, names }: ItemSettings, contract: RequestContract): string[] {
  if (contract.allowed.has(nameSettings(type))) return [];
  if (isConfigurationUpdate({ type }))
    // Models and tools in it are checked like those of the request.
    return names.filter((name) => !MEMBERS_OF_UPDATE.has(name) && name !== 'model' && name !== 'tools');
  return names.filter((name) => contract.members.get(name)?.handling === 'priced');
}

/** The name with which an operator allows the settings of an item. */
export function nameSettings(type: string): string {
  return `input.${type}`;
}
