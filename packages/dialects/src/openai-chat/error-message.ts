import { asObject, parseJson } from '../json/parse-object.ts';

/** Members that hold the text of an error, the most informative first. */
const TEXTS = ['message', 'msg', 'error', 'detail'] as const;
/** Servers put an error into the error of their gateway, and so on, but not deeper. */
const MAX_DEPTH = 5;

/**
 * The text of an error, however it is packed: Mistral's 422 has JSON in its message, and servers on FastAPI a list of
 * invalid members (https://fastapi.tiangolo.com/tutorial/handling-errors/).
 * @returns null if there is none
 */
export function readErrorText(value: unknown, depth = 0): string | null {
  if (depth > MAX_DEPTH) return null;
  if (typeof value === 'string') return readString(value, depth);
  if (Array.isArray(value)) {
    const texts = value.flatMap((each) => readErrorText(each, depth + 1) ?? []);
    return texts.length === 0 ? null : texts.join('; ');
  }
  const object = asObject(value);
  if (object === null) return null;
  for (const name of TEXTS) {
    const text = readErrorText(object[name], depth + 1);
    if (text !== null) return withPlace(object['loc'], text);
  }
  return null;
}

function readString(text: string, depth: number): string | null {
  if (text === '') return null;
  const isPacked = /^\s*[[{]/.test(text);
  return (isPacked ? readErrorText(parseJson(text), depth + 1) : null) ?? text;
}

/** `["body", "messages", 0]` and `Field required` become `messages.0: Field required`. */
function withPlace(loc: unknown, text: string): string {
  if (!Array.isArray(loc)) return text;
  const place = loc.filter((step, index) => index > 0 || step !== 'body').join('.');
  return place === '' ? text : `${place}: ${text}`;
}
