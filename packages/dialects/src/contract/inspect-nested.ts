import type { RequestContract } from './contract.ts';
import type { Inspection } from './inspection.ts';
import { findNestedNames, type NestedNames } from './nested-names.ts';
import { allowedName, STORED_KINDS, UPLOADED_KINDS, type StoredId } from './stored-ids.ts';

interface Place {
  found: Inspection;
  contract: RequestContract;
}

/**
 * Checks the models and stored ids that a forwarded value names inside. The operator allows a member that only looks like
 * one by the name of its owner and its own: `moderation.model`.
 * @param group the owner's name for that; absent: the first part of `param`
 */
export function noteNested(
  place: Place,
  {
    value,
    param,
    group,
    skip = [],
  }: { value: unknown; param: string; group?: string; skip?: readonly string[] },
): void {
  if (typeof value !== 'object' || value === null) return;
  noteNames(place, findNestedNames(value, param, skip), group ?? param.split('.', 1)[0] ?? param);
}

/** The same for names that were found before. @param owner the group's name for the operator */
export function noteNames({ found, contract }: Place, names: NestedNames, owner: string): void {
  const { models, storedIds } = names;
  for (const model of models) {
    if (!contract.allowed.has(`${owner}.${model.param.split('.').at(-1) ?? ''}`)) noteModels(found, model);
  }
  restrictStoredIds({ found, contract }, storedIds);
}

/** A model, or a list of models. What is no name is rejected: the provider might read it. */
function noteModels(found: Inspection, { param, value }: { param: string; value: unknown }): void {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  for (const [at, model] of names.entries()) {
    const where = Array.isArray(value) ? `${param}.${at}` : param;
    if (typeof model === 'string' && model !== '') found.models.push({ model, param: where });
    else found.rejectValue(where, `${where} must be the name of a model.`);
  }
}

/** Ids of what the provider keeps in the operator's account. */
export function restrictStoredIds({ found, contract }: Place, storedIds: readonly StoredId[]): void {
  for (const { kind, param } of storedIds) {
    found.namesUploads ||= UPLOADED_KINDS.has(kind);
    const allowedAs = allowedName(kind);
    if (contract.allowed.has(allowedAs)) continue;
    const because =
      kind === 'address'
        ? 'only the provider can reach this address'
        : `all accounts of this gateway share the ${STORED_KINDS[kind]} of the provider's account`;
    found.restricted.push({ param, because, allowedAs });
  }
}
