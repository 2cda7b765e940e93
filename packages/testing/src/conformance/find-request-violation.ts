import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { loadSdkSchemas, VALIDATOR_OPTIONS, type RequestKind } from './load-sdk-schemas.ts';

const ajv = new Ajv(VALIDATOR_OPTIONS);
const validators = new Map<RequestKind, ValidateFunction>();
const roots = await loadSdkSchemas('requests');
for (const [index, schema] of roots.entries()) ajv.addSchema(schema, `sdk${index}`);

/** A validation error of a request. */
export interface RequestViolation {
  /** Path of the member: `messages.0.content`. */
  path: string;
  kind: 'missing' | 'unknown' | 'wrong';
  /** Message of the validator. */
  message: string;
}

/**
 * Validates a request against its type in the official SDK: unknown members are errors, as at the provider.
 * @returns the deepest error, which causes the others; null: valid
 */
export function findRequestViolation(kind: RequestKind, body: unknown): RequestViolation | null {
  const validate = createValidator(kind);
  if (validate(body)) return null;
  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if' && keyword !== 'anyOf');
  const violations = errors.map(toViolation);
  const depth = ({ path }: RequestViolation) => path.split('.').length;
  return violations.toSorted((a, b) => depth(b) - depth(a))[0] ?? null;
}

function toViolation({ keyword, instancePath, message, params }: ErrorObject): RequestViolation {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const inside = (name: unknown) => (path === '' ? String(name) : `${path}.${String(name)}`);
  switch (keyword) {
    case 'additionalProperties':
      return { path: inside(params['additionalProperty']), kind: 'unknown', message: 'is not known' };
    case 'required':
      return { path: inside(params['missingProperty']), kind: 'missing', message: 'is required' };
    case 'enum':
    case 'const': {
      const allowed: unknown = params['allowedValues'] ?? params['allowedValue'];
      return { path, kind: 'wrong', message: `${message ?? keyword}: ${JSON.stringify(allowed)}` };
    }
    default:
      return { path, kind: 'wrong', message: message ?? keyword };
  }
}

function createValidator(kind: RequestKind): ValidateFunction {
  const known = validators.get(kind);
  if (known !== undefined) return known;
  const index = roots.findIndex((root) => Object.hasOwn(Object(root['properties']), kind));
  const validate = ajv.compile({ $ref: `sdk${index}#/properties/${kind}` });
  validators.set(kind, validate);
  return validate;
}
