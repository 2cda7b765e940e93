import { findOpenObject } from './closed-schema.ts';
import type { Refusal } from './seen-conversation.ts';

/** The error of a request, as OpenAI words it. */
export function refuse(param: string, message: string, code: string | null = null): Refusal {
  return { message, param, code };
}

/**
 * The error of a strict schema that leaves something open.
 * @param owner what the schema belongs to, such as `function 'read_file'`
 */
export function* findSchemaViolations(schema: unknown, param: string, owner: string): Generator<Refusal> {
  const found = findOpenObject(schema, true);
  if (found === null) return;
  const context = `In context=(${found.path.map((step) => `'${step}'`).join(', ')})`;
  const violation =
    found.violation === 'open'
      ? "'additionalProperties' is required to be supplied and to be false."
      : "'required' is required to be supplied and to be an array including every key in properties.";
  yield refuse(param, `Invalid schema for ${owner}: ${context}, ${violation}`, 'invalid_json_schema');
}
