import { asObject, type JsonObject } from '@tollgate/dialects/json/parse-object';

/** A body as JavaScript reads it, in the format of the other readers. */
export function readByJavaScript(body: JsonObject): JsonObject {
  const plain = [
    'model',
    'stream',
    'max_tokens',
    'max_completion_tokens',
    'max_output_tokens',
    'n',
    'best_of',
    'dimensions',
  ];
  const messages: unknown[] = Array.isArray(body['messages']) ? body['messages'] : [];
  const known = messages.map(asObject).filter((message) => message !== null);
  return {
    ...Object.fromEntries(plain.map((name) => [name, body[name] ?? null])),
    include_usage: asObject(body['stream_options'])?.['include_usage'] ?? null,
    budget_tokens: asObject(body['thinking'])?.['budget_tokens'] ?? null,
    roles: known.map(({ role }) => role ?? null),
    texts: known.flatMap(({ content }) => getTexts(content)),
  };
}

function getTexts(content: unknown): unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => {
    const object = asObject(part);
    return object?.['type'] === 'text' ? [object['text'] ?? null] : [];
  });
}
