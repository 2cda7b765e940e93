import type { RateNeed } from '@tollgate/core/money/rates/rate-need';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { RequestContract } from './contract.ts';
import type { Inspection } from './inspection.ts';
import type { NeedRule } from './member-rule.ts';
import { needCalls } from './priced-calls.ts';

interface Place {
  found: Inspection;
  contract: RequestContract;
  body: JsonObject;
}

/** Notes the rates that a member's value needs. @param name its path: `service_tier`, `fallbacks.0.speed` */
export function inspectNeed(
  place: Place,
  { name, value, need }: { name: string; value: unknown; need: NeedRule },
): void {
  const { found } = place;
  switch (need.kind) {
    case 'tool':
      inspectToolMember(place, { name, value, need });
      return;
    case 'modalities':
      inspectModalities(found, name, value);
      return;
    default:
      inspectTerm(found, { name, value, need });
  }
}

type TermRule = Extract<NeedRule, { included: readonly string[] }>;

function inspectTerm(
  found: Inspection,
  { name, value, need }: { name: string; value: unknown; need: TermRule },
): void {
  if (typeof value !== 'string') {
    found.rejectValue(name, `${name} must be a string.`);
    return;
  }
  if (need.included.includes(value)) return;
  if (need.kind === 'service_tier' && value === 'auto') {
    const pinned = need.pinned?.[value];
    if (pinned !== undefined) found.pinned[name] = JSON.stringify(pinned);
    return;
  }
  found.need(termNeed(need.kind, value));
}

function termNeed(kind: TermRule['kind'], value: string): RateNeed {
  switch (kind) {
    case 'service_tier':
      return { kind, tier: value };
    case 'speed':
      return { kind, speed: value };
    case 'inference_geo':
      return { kind, geo: value };
  }
}

function inspectToolMember(
  place: Place,
  { name, value, need }: { name: string; value: unknown; need: Extract<NeedRule, { kind: 'tool' }> },
): void {
  if (value === false) return;
  const object = asObject(value);
  if (need.offMode !== undefined && object?.['mode'] === need.offMode) return;
  needCalls(place, { priced: need, holder: object, param: name, allowedAs: name });
}

const MODALITY_CLASSES: Readonly<Record<string, 'audio_output' | 'image_output'>> = {
  audio: 'audio_output',
  image: 'image_output',
};

function inspectModalities(found: Inspection, name: string, value: unknown): void {
  const modalities: unknown[] = Array.isArray(value) ? value : [value];
  for (const [at, modality] of modalities.entries()) {
    if (typeof modality !== 'string') {
      found.rejectValue(`${name}.${at}`, `${name}.${at} must be a string.`);
      continue;
    }
    if (modality === 'text') continue;
    const known = Object.hasOwn(MODALITY_CLASSES, modality) ? MODALITY_CLASSES[modality] : undefined;
    if (known === undefined) {
      const entry = { name: `${name}.${modality}`, param: `${name}.${at}` };
      if (!found.report(entry.name, entry.param)) return;
      found.unknownEntries.push(entry);
    } else found.need({ kind: 'tokens', class: known });
  }
}
