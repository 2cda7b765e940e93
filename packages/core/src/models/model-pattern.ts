import { z } from 'zod';

/** Ends an entry of a list of models that means all models whose ID begins with the rest. */
export const WILDCARD = '*';

/** True for `claude-*`; model IDs contain no asterisk. */
export function isModelPattern(entry: string): boolean {
  return entry.endsWith(WILDCARD);
}

/** The beginning of the IDs that a pattern means. */
function prefixOfPattern(pattern: string): string {
  return pattern.slice(0, -WILDCARD.length);
}

/** True if an entry of a list of models means the model. IDs are compared as they are: case counts. */
export function isMeantBy(entry: string, modelId: string): boolean {
  return isModelPattern(entry) ? modelId.startsWith(prefixOfPattern(entry)) : entry === modelId;
}

/** The entries of a list that mean no model of an installation. */
export function findUnknownEntries(entries: readonly string[], modelIds: readonly string[]): string[] {
  const known = new Set(modelIds);
  return entries.filter((entry) =>
    isModelPattern(entry) ? !modelIds.some((id) => isMeantBy(entry, id)) : !known.has(entry),
  );
}

/** An entry of a list of allowed models: a model ID, or the beginning of IDs and an asterisk. */
export const allowedModelSchema = z
  .string()
  .min(1)
  .max(200)
  .refine((entry) => entry !== WILDCARD, 'To allow all models, list none')
  .refine(
    (entry) => !entry.slice(0, -1).includes(WILDCARD),
    'An asterisk is supported only at the end, such as claude-*',
  );

/** A pattern of model IDs, for routes. */
export const modelPatternSchema = z
  .string()
  .max(200, 'must have at most 200 characters')
  .regex(/^[^\s,*]+\*$/, 'must be the beginning of model IDs and an asterisk, such as claude-*');

/** A list of allowed models that is asked for every request. */
export class ModelSet {
  readonly #ids: ReadonlySet<string>;
  readonly #prefixes: readonly string[];

  constructor(entries: readonly string[]) {
    this.#ids = new Set(entries.filter((entry) => !isModelPattern(entry)));
    this.#prefixes = entries.filter(isModelPattern).map(prefixOfPattern);
  }

  has(modelId: string): boolean {
    if (this.#ids.has(modelId)) return true;
    for (const prefix of this.#prefixes) if (modelId.startsWith(prefix)) return true;
    return false;
  }
}
