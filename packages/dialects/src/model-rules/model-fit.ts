import type { EncodeReport } from '../encode-report.ts';
import type { JsonObject } from '../json/parse-object.ts';
import type { ModelRules } from './model-rules.ts';

/** How the members of a dialect's body change for a model. */
export interface ModelFit<Rules extends ModelRules> {
  /** The members that it reads. */
  members: readonly string[];
  /** Replaces, adds or deletes members; never changes the inside of their values. Reports every change of what they mean. */
  fit(body: JsonObject, rules: Rules, report: EncodeReport): void;
}

/** The verbosity that every model of OpenAI takes. */
export const DEFAULT_VERBOSITY = 'medium';

/** Lowers an output limit to the longest output of the model. */
export function lowerLimit(
  body: JsonObject,
  name: string,
  { maxOutputTokens }: Pick<ModelRules, 'maxOutputTokens'>,
  report: EncodeReport,
): void {
  const limit = body[name];
  if (maxOutputTokens === null || typeof limit !== 'number' || limit <= maxOutputTokens) return;
  body[name] = maxOutputTokens;
  report.drop(name);
}

/** Leaves a member out. It is reported unless its value is the default. */
export function leaveOut(body: JsonObject, name: string, report: EncodeReport, isDefault = false): void {
  const value = body[name];
  if (value === undefined) return;
  delete body[name];
  if (value !== null && !isDefault) report.drop(name);
}
