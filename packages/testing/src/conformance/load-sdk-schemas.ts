import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { asObject } from '../fake-provider/parse-completion-request.ts';
import { narrowUnions, type Schema } from './narrow-unions.ts';
import type { AnthropicAnswers, AnthropicRequests, OpenAiAnswers, OpenAiRequests } from './sdk-types.ts';

/** The answers that a schema is there for. */
export type AnswerKind = keyof OpenAiAnswers | keyof AnthropicAnswers;
/** The requests that a schema is there for. */
export type RequestKind = keyof OpenAiRequests | keyof AnthropicRequests;

const ROOTS = {
  answers: ['OpenAiAnswers', 'AnthropicAnswers'],
  requests: ['OpenAiRequests', 'AnthropicRequests'],
} as const;
const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
const CACHE = path.join(REPOSITORY, 'node_modules/.cache/tollgate');
/** Members that no wire carries: the SDK computes them when it has read an answer. */
const ADDED_BY_SDK: Readonly<Record<string, string>> = { Response: 'output_text' };
/** The cached schemas depend on the versions of the SDKs and on these files. */
const SOURCES = ['../../package.json', 'sdk-types.ts', 'narrow-unions.ts', 'load-sdk-schemas.ts'];

/**
 * JSON schemas of what the official SDKs expect, or of what they send, made from their own type declarations: every member that they do not
 * know is a fault, and so is every member that they count on and that is not there. Making them takes seconds, so they
 * are kept until an SDK changes.
 * @returns a schema for each of the interfaces, whose properties are the kinds of answer
 */
export async function loadSdkSchemas(side: keyof typeof ROOTS): Promise<Schema[]> {
  const hash = createHash('sha256');
  for (const source of SOURCES) hash.update(readFileSync(path.join(import.meta.dirname, source)));
  const file = path.join(CACHE, `sdk-${side}-${hash.digest('hex').slice(0, 16)}.json`);
  if (!existsSync(file)) await writeSchemas(ROOTS[side], file);
  return JSON.parse(readFileSync(file, 'utf8'));
}

function withoutAdded(schema: Schema): Schema {
  const definitions = asObject(schema['definitions']);
  const plain = Object.entries(ADDED_BY_SDK).map(([name, added]) => {
    const { properties, required, ...rest } = asObject(definitions[name]);
    const { [added]: _added, ...others } = asObject(properties);
    const names = Array.isArray(required) ? required.filter((member) => member !== added) : [];
    return [name, { ...rest, properties: others, required: names }];
  });
  return { ...schema, definitions: { ...definitions, ...Object.fromEntries(plain) } };
}

async function writeSchemas(types: readonly string[], file: string): Promise<void> {
  // It brings a compiler of its own, which only the first run has to load.
  const { createGenerator } = await import('ts-json-schema-generator');
  const schemas = types.map((type) => {
    const generator = createGenerator({
      path: path.join(import.meta.dirname, 'sdk-types.ts'),
      tsconfig: path.join(REPOSITORY, 'tsconfig.json'),
      type,
      skipTypeCheck: true,
      jsDoc: 'none',
      expose: 'all',
      topRef: false,
      additionalProperties: false,
    });
    return narrowUnions(withoutAdded({ ...generator.createSchema(type) }));
  });
  mkdirSync(CACHE, { recursive: true });
  // Several test files may be at it: each writes its own, and a whole file takes the name.
  const own = `${file}.${process.pid}`;
  writeFileSync(own, JSON.stringify(schemas));
  renameSync(own, file);
}
