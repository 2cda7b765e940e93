import type { OutputFormat } from '@tollgate/core/completion/request';
import type { JsonObject } from '../json/parse-object.ts';
import { closeSchema } from './close-schema.ts';

const JSON_INSTRUCTION =
  'Answer with a single JSON object and nothing else: no text before or after it, and no code fence.';

export interface EncodedFormat {
  /** The value of `output_config.format`. */
  format: JsonObject | null;
  /** A block to add to the system prompt. */
  instruction: JsonObject | null;
}

/**
 * Writes the form of the answer. A schema becomes structured output, which has no name and is always strict. An answer
 * that is any JSON object cannot be enforced here: an instruction asks the model for one.
 */
export function encodeOutputFormat(format: OutputFormat): EncodedFormat {
  switch (format.type) {
    case 'text':
      return { format: null, instruction: null };
    case 'json_object':
      return { format: null, instruction: { type: 'text', text: JSON_INSTRUCTION } };
    case 'json_schema':
      return { format: { type: 'json_schema', schema: closeSchema(format.schema) }, instruction: null };
  }
}
