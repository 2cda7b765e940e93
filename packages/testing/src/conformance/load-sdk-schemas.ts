import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { asObject } from '../fake-provider/parse-completion-request.ts';
import { narrowUnions, type Schema } from './narrow-unions.ts';
import type { AnthropicAnswers, AnthropicRequests, OpenAiAnswers, OpenAiRequests } from './sdk-types.ts';

/** Kinds of responses with a schema. */
export type AnswerKind = keyof OpenAiAnswers | keyof AnthropicAnswers;
/** Kinds of requests with a schema. */
export type RequestKind = keyof OpenAiRequests | keyof AnthropicRequests;

const ROOTS = {
  answers: ['OpenAiAnswers', 'AnthropicAnswers'],
  requests: ['OpenAiRequests', 'AnthropicRequests'],
} as const;
/** Each process compiles validators anew: shorter ones take twice as long to compile, and are not used often enough. */
export const VALIDATOR_OPTIONS = {
  allErrors: true,
  strict: false,
  allowUnionTypes: true,
  code: { optimize: false },
} as const;

const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
const CACHE = path.join(REPOSITORY, 'node_modules/.cache/tollgate');
/** Members that the SDK computes from a response and that are never sent. */
const ADDED_BY_SDK: Readonly<Record<string, string>> = { Response: 'output_text' };
/** Input of the cache key: the SDKs' versions and these files. */
const SOURCES = ['../../package.json', 'sdk-types.ts', 'narrow-unions.ts', 'load-sdk-schemas.ts'];

/**
 * JSON schemas of the responses that the official SDKs expect and the requests that they send, made from their type
 * declarations: unknown members and missing required members are errors. Making them takes seconds, so they are cached
 * until an SDK changes.
 * @returns a schema for each of the interfaces, whose properties are the kinds of responses
 */
export async function loadSdkSchemas(side: keyof typeof ROOTS): Promise<Schema[]> {
  const hash = createHash('sha256');
  for (const source of SOURCES) hash.update(readFileSync(path.join(import.meta.dirname, source)));
  const version = hash.digest('hex').slice(0, 16);
  const file = getCacheFile(side, version);
  if (!existsSync(file)) await writeSchemas(version);
  return JSON.parse(readFileSync(file, 'utf8'));
}

function getCacheFile(side: string, version: string): string {
  return path.join(CACHE, `sdk-${side}-${version}.json`);
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

/** Writes the schemas of both sides: most of the time is needed to read the SDKs' declarations. */
async function writeSchemas(version: string): Promise<void> {
  // It includes a compiler, which only the first run must load.
  const { createGenerator, createProgram, DEFAULT_CONFIG } = await import('ts-json-schema-generator');
  const config = {
    ...DEFAULT_CONFIG,
    path: path.join(import.meta.dirname, 'sdk-types.ts'),
    tsconfig: path.join(REPOSITORY, 'tsconfig.json'),
    skipTypeCheck: true,
    jsDoc: 'none',
    expose: 'all',
    topRef: false,
    additionalProperties: false,
  } as const;
  const tsProgram = createProgram(config);
  mkdirSync(CACHE, { recursive: true });
  for (const [side, types] of Object.entries(ROOTS)) {
    const schemas = types.map((type) => {
      const generator = createGenerator({ ...config, type, tsProgram });
      return narrowUnions(withoutAdded({ ...generator.createSchema(type) }));
    });
    const file = getCacheFile(side, version);
    // Several test files may do this: each writes its own file, then renames it.
    const own = `${file}.${process.pid}`;
    writeFileSync(own, JSON.stringify(schemas));
    renameSync(own, file);
  }
}
