import type { CompletionEvent } from '@tollgate/core/completion/events';
import type { AssistantPart } from '@tollgate/core/completion/content';
import type { CompletionResponse } from '@tollgate/core/completion/response';
import { asObject, type JsonObject } from '../json/parse-object.ts';
import type { StreamEncoder } from '../stream-codec.ts';
import { MAX_NAME, shorten } from './function-name.ts';
import { getClientTools, isPlainFunction } from './responses-tools.ts';
import { getText } from './text-of.ts';

type LongNames = ReadonlyMap<string, string>;

/** Names the functions that a response calls as the caller did: the opposite of `short-names.ts`. @param body of the caller */
export function withLongNames(
  response: CompletionResponse,
  body: JsonObject | undefined,
): CompletionResponse {
  const names = getLongNames(body);
  if (names === null) return response;
  const rename = (part: AssistantPart) => (part.type === 'tool_call' ? withLongName(part, names) : part);
  return {
    ...response,
    choices: response.choices.map((choice) => ({ ...choice, content: choice.content.map(rename) })),
  };
}

/** The same for a stream. @returns the encoder itself if it has nothing to rename */
export function writeLongNames(encoder: StreamEncoder, body: JsonObject | undefined): StreamEncoder {
  const names = getLongNames(body);
  if (names === null) return encoder;
  return {
    push: (event) => encoder.push(renameStart(event, names)),
    continueAt: (number) => encoder.continueAt?.(number),
  };
}

function renameStart(event: CompletionEvent, names: LongNames): CompletionEvent {
  if (event.type !== 'block_start' || event.start.type !== 'tool_call') return event;
  return { ...event, start: withLongName(event.start, names) };
}

function withLongName<Named extends { name: string }>(named: Named, names: LongNames): Named {
  const name = names.get(named.name);
  return name === undefined ? named : { ...named, name };
}

/** The functions whose names are too long for some provider, by their short names; null: there are none. */
function getLongNames(body: JsonObject | undefined): LongNames | null {
  if (body === undefined) return null;
  const long = listFunctionNames(body).filter(({ length }) => length > MAX_NAME);
  return long.length === 0 ? null : new Map(long.map((name) => [shorten(name), name]));
}

/** Of all dialects. */
function listFunctionNames(body: JsonObject): string[] {
  const declared = [body['tools'], body['functions']].flatMap((list: unknown): unknown[] =>
    Array.isArray(list) ? list : [],
  );
  const names = declared.map((entry) => {
    const tool = asObject(entry) ?? {};
    return getText(asObject(tool['function'])?.['name'] ?? tool['name']);
  });
  const later = getClientTools(body).filter(isPlainFunction);
  return [...names, ...later.map(({ name }) => name)];
}
