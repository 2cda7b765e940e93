import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { takeExtensions } from './extensions.ts';
import { loadSdkSchemas, VALIDATOR_OPTIONS, type AnswerKind } from './load-sdk-schemas.ts';

const ajv = new Ajv(VALIDATOR_OPTIONS);
const validators = new Map<AnswerKind, ValidateFunction>();
const roots = await loadSdkSchemas('answers');
for (const [index, schema] of roots.entries()) ajv.addSchema(schema, `sdk${index}`);

/**
 * Validates a value against its type in the official SDK.
 * @returns errors with paths: `choices.0.message: must have required property 'refusal'`
 */
export function checkShape(kind: AnswerKind, value: unknown): string[] {
  const { plain, violations } = takeExtensions(kind, value);
  const validate = createValidator(kind);
  validate(plain);
  return [...violations, ...(validate.errors ?? []).flatMap(describeError)];
}

function createValidator(kind: AnswerKind): ValidateFunction {
  const known = validators.get(kind);
  if (known !== undefined) return known;
  const index = roots.findIndex((root) => Object.hasOwn(Object(root['properties']), kind));
  const validate = ajv.compile({ $ref: `sdk${index}#/properties/${kind}` });
  validators.set(kind, validate);
  return validate;
}

function describeError({ keyword, instancePath, message, params }: ErrorObject): string[] {
  // The branch chosen by the value's type reports its own errors.
  if (keyword === 'if') return [];
  const at = instancePath.slice(1).replaceAll('/', '.');
  const detail = keyword === 'additionalProperties' ? `: ${String(params['additionalProperty'])}` : '';
  const allowed = keyword === 'enum' ? `: ${JSON.stringify(params['allowedValues'])}` : '';
  return [`${at === '' ? 'the whole' : at}: ${message ?? keyword}${detail}${allowed}`];
}
