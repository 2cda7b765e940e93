import {
  REASONING_EFFORTS,
  type OutputFormat,
  type Reasoning,
  type Sampling,
} from '@tollgate/core/completion/request';
import type { FieldReader } from '../json/field-reader.ts';
import type { JsonObject } from '../json/parse-object.ts';

/** Requests log probabilities, which the canonical request holds in another form. */
export const INCLUDE_LOGPROBS = 'message.output_text.logprobs';
export const INCLUDE_REASONING = 'reasoning.encrypted_content';

const FORMATS = ['text', 'json_object', 'json_schema'] as const;
const VERBOSITIES = ['low', 'medium', 'high'] as const;

export function decodeSampling(body: JsonObject, reader: FieldReader): Sampling {
  return {
    temperature: reader.number({ object: body, key: 'temperature', at: '' }, { min: 0, max: 2 }),
    topP: reader.number({ object: body, key: 'top_p', at: '' }, { min: 0, max: 1 }),
    topK: null,
    seed: null,
    presencePenalty: null,
    frequencyPenalty: null,
    logitBias: null,
  };
}

/** Reads `text`: the form of the answer, and how wordy it is. */
export function decodeTextConfig(
  body: JsonObject,
  reader: FieldReader,
): { outputFormat: OutputFormat; verbosity: (typeof VERBOSITIES)[number] | null } {
  const text = reader.object({ object: body, key: 'text', at: '' }) ?? {};
  const format = reader.object({ object: text, key: 'format', at: 'text.' });
  const verbosity = reader.oneOf({ object: text, key: 'verbosity', at: 'text.' }, VERBOSITIES);
  return {
    outputFormat: format === null ? { type: 'text' } : decodeFormat(format, reader),
    verbosity,
  };
}

function decodeFormat(format: JsonObject, reader: FieldReader): OutputFormat {
  const at = 'text.format.';
  const type = reader.oneOf({ object: format, key: 'type', at }, FORMATS);
  if (type === null) reader.refuse(`${at}type`, `must be one of ${FORMATS.join(', ')}`);
  if (type !== 'json_schema') return { type: type ?? 'text' };
  return {
    type,
    name: reader.string({ object: format, key: 'name', at }),
    description: reader.string({ object: format, key: 'description', at }),
    schema: reader.requiredObject({ object: format, key: 'schema', at }),
    strict: reader.boolean({ object: format, key: 'strict', at }),
  };
}

/** Reads how much the model thinks; whether and how it sums that up stays in `extra`. */
export function decodeReasoning(body: JsonObject, reader: FieldReader): Reasoning | null {
  const reasoning = reader.object({ object: body, key: 'reasoning', at: '' }) ?? {};
  const effort = reader.oneOf({ object: reasoning, key: 'effort', at: 'reasoning.' }, REASONING_EFFORTS);
  return effort === null ? null : { type: 'effort', effort };
}

/** Log probabilities are requested by `include`, or by a number of alternatives above 0. */
export function decodeLogprobs(body: JsonObject, reader: FieldReader): { alternatives: number } | null {
  const top = reader.integer({ object: body, key: 'top_logprobs', at: '' }, { min: 0, max: 20 }) ?? 0;
  return top > 0 || decodeInclude(body, reader).includes(INCLUDE_LOGPROBS) ? { alternatives: top } : null;
}

export function decodeInclude(body: JsonObject, reader: FieldReader): string[] {
  const given = reader.list({ object: body, key: 'include', at: '' }) ?? [];
  return given.flatMap((name, index) => {
    if (typeof name === 'string') return [name];
    reader.refuse(`include.${index}`, 'must be a string');
    return [];
  });
}
