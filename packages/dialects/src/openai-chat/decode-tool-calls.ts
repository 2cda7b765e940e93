import type { ToolCallPart } from '@tollgate/core/completion/content';
import { packCallId } from '../call-id.ts';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import { decodeCache } from './decode-cache.ts';
import { BODY_LIMITS } from '@tollgate/core/requests/body-limits';
import type { FieldReader } from '../json/field-reader.ts';
import { isNestedDeeper } from '../json/nesting.ts';

/** Names calls that came without an id. */
export interface CallIds {
  /** For the call at a place of the list; null: a call without an id is refused. */
  missing: ((index: number) => string) | null;
  /** For a `function_call`, which has no id. */
  legacy(name: string): string;
}

interface Place {
  at: string;
  reader: FieldReader;
  ids: CallIds;
}

/** Reads `tool_calls`, and the `function_call` that was there before them. Mistral leaves `type` out. */
export function decodeToolCalls(message: JsonObject, { at, reader, ids }: Place): ToolCallPart[] {
  const calls = reader
    .objects({ object: message, key: 'tool_calls', at })
    .map(({ item, at: inside }, index) => decodeToolCall(item, { at: inside, reader, ids }, index));
  const legacy = reader.object({ object: message, key: 'function_call', at });
  if (legacy === null) return calls;
  const name = reader.requiredString({ object: legacy, key: 'name', at: `${at}function_call.` });
  const id = ids.legacy(name);
  return [
    ...calls,
    {
      type: 'tool_call',
      id,
      name,
      arguments: decodeArguments(legacy['arguments'], `${at}function_call.arguments`, reader),
      cache: null,
    },
  ];
}

function decodeToolCall(call: JsonObject, { at, reader, ids }: Place, index: number): ToolCallPart {
  const given = reader.string({ object: call, key: 'id', at }) ?? '';
  if (given === '' && ids.missing === null) reader.refuse(`${at}id`, 'must be a string that is not empty');
  const named = given === '' ? (ids.missing?.(index) ?? '') : given;
  const signature = getSignature(call);
  const id = signature === null ? named : packCallId(named, signature);
  const cache = decodeCache(call);
  const custom = asObject(call['custom']);
  if (custom !== null) {
    const name = reader.requiredString({ object: custom, key: 'name', at: `${at}custom.` });
    return {
      type: 'tool_call',
      id,
      name,
      // As the function that represents the tool takes it.
      arguments: JSON.stringify({ input: decodeArguments(custom['input'], `${at}custom.input`, reader) }),
      cache,
    };
  }
  const inside = `${at}function.`;
  const called = reader.requiredObject({ object: call, key: 'function', at });
  const name = reader.requiredString({ object: called, key: 'name', at: inside });
  const text = called['arguments'] ?? '';
  if (typeof text !== 'string' && asObject(text) === null)
    reader.refuse(`${inside}arguments`, 'must be a string of JSON');
  return {
    type: 'tool_call',
    id,
    name,
    arguments: decodeArguments(text, `${inside}arguments`, reader),
    cache,
  };
}

/** Reads arguments: JSON text, or the value itself. Text counts as a part of the body, so the same depth limit applies. */
export function decodeArguments(value: unknown, param: string, reader: FieldReader): string {
  const text = getArguments(value);
  if (isNestedDeeper(text, BODY_LIMITS.maxDepth))
    reader.refuse(param, `must not be nested deeper than ${BODY_LIMITS.maxDepth} levels`);
  return text;
}

/** Reads the signature that Gemini gives to a call. */
export function getSignature(call: JsonObject): string | null {
  const signature = asObject(asObject(call['extra_content'])?.['google'])?.['thought_signature'];
  return typeof signature === 'string' && signature !== '' ? signature : null;
}

/** Arguments are JSON text; some providers send the object itself. */
export function getArguments(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
