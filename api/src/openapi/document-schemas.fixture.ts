import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createOpenApiDocument } from './document.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(createOpenApiDocument(), 'openapi');

/** Compiles a schema of the published description, as a client would. */
export function getSchema(name: string): ValidateFunction {
  return ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
}
