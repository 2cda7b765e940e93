import { asObject } from '../json/parse-object.ts';
import type { RequestContract } from './contract.ts';
import { noteNames, noteNested } from './inspect-nested.ts';
import type { Inspection } from './inspection.ts';
import { findPricedSettings, nameSettings, type ItemSettings } from './item-settings.ts';
import type { MemberRule } from './member-rule.ts';

interface Place {
  found: Inspection;
  contract: RequestContract;
}

/** Settings of an item cannot be changed where they are, so what may change the price is restricted. */
export function inspectSettings(place: Place, settings: ItemSettings): void {
  const { contract } = place;
  const { param, type, checked, models, storedIds } = settings;
  for (const name of findPricedSettings(settings, contract)) restrict(place, type, `${param}.${name}`);
  noteNames(place, { models, storedIds }, nameSettings(type));
  for (const [name, value] of Object.entries(checked))
    inspectSetting(place, type, { param: `${param}.${name}`, value, rule: contract.members.get(name) });
}

/** Checks a setting with the rule of the request's own member. @param type of the item */
function inspectSetting(
  place: Place,
  type: string,
  { param, value, rule }: { param: string; value: unknown; rule: MemberRule | undefined },
): void {
  if ((value ?? null) === null || rule?.handling === 'opaque') return;
  if (rule?.handling !== 'object') {
    if (rule?.handling !== 'plain') restrict(place, type, param);
    const end = param.lastIndexOf('.');
    // With its name, which may be that of a model.
    const named = { [param.slice(end + 1)]: value };
    noteNested(place, { value: named, param: param.slice(0, end), group: nameSettings(type) });
    return;
  }
  const object = asObject(value);
  if (object === null) {
    place.found.rejectValue(param, `${param} must be an object.`);
    return;
  }
  for (const [name, inner] of Object.entries(object)) {
    const own = Object.hasOwn(rule.members, name) ? rule.members[name] : undefined;
    inspectSetting(place, type, { param: `${param}.${name}`, value: inner, rule: own });
  }
}

function restrict({ found, contract }: Place, type: string, param: string): void {
  const allowedAs = nameSettings(type);
  if (contract.allowed.has(allowedAs)) return;
  found.restricted.push({
    param,
    because: 'an item of the conversation may change the price with it',
    allowedAs,
  });
}
