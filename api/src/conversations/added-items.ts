import { Buffer } from 'node:buffer';
import { deny, type GatewayError, type Result } from '@tollgate/core/errors/errors';
import { CONVERSATION_LIMITS } from '@tollgate/core/requests/stored-responses';
import { JsonObjectBytes } from '@tollgate/dialects/json/edit-members';
import { asObject, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import { scanBody } from '@tollgate/dialects/json/scan-body';
import { decodeOpenAiResponsesRequest } from '@tollgate/dialects/openai-responses/decode-request';
import { parseOpenAiResponsesRequest } from '@tollgate/dialects/openai-responses/parse-request';
import { expandBody } from '../request-body/expand-body.ts';

export type Metadata = Record<string, string>;

/** What a request says of a conversation. */
export interface AddedItems {
  /** A JSON list; null: none. */
  items: Buffer | null;
  /** null: it says nothing. */
  metadata: Metadata | null;
}

const { maxItemsAtOnce, maxMetadata, maxMetadataKey, maxMetadataValue } = CONVERSATION_LIMITS;

/** Reads the body of a request that creates a conversation, changes its metadata or adds items. Empty: as `{}`. */
export function readAddedItems(body: Buffer): Result<AddedItems> {
  if (body.length === 0) return { ok: true, value: { items: null, metadata: null } };
  const ambiguous = scanBody(body);
  if (ambiguous !== null) return { ok: false, error: ambiguous };
  const given = parseJsonObject(body.toString('utf8'));
  if (given === null) return deny('invalid_json', 'The request body must be a JSON object.');
  const metadata = readMetadata(given['metadata']);
  if (!metadata.ok) return metadata;
  const items = readItems(given, new JsonObjectBytes(body));
  return items.ok ? { ok: true, value: { items: items.value, metadata: metadata.value } } : items;
}

/** Checks items as the input of a request, so that every later request is valid. */
function readItems(given: JsonObject, body: JsonObjectBytes): Result<Buffer | null> {
  const list = given['items'] ?? null;
  const place = list === null ? null : body.findPlace('items');
  if (place === null || (Array.isArray(list) && list.length === 0)) return { ok: true, value: null };
  if (Array.isArray(list) && list.length > maxItemsAtOnce)
    return deny('invalid_request', `items can have at most ${maxItemsAtOnce} entries.`, { param: 'items' });
  const expanded = expandBody('/v1/responses', asInput(body.bytes.subarray(place.start, place.end)));
  if (!expanded.ok) return denyItems(expanded.error);
  // Ids may carry more than the body had.
  const ambiguous = scanBody(expanded.value);
  if (ambiguous !== null) return denyItems(ambiguous);
  const checked = checkInput(expanded.value.toString('utf8'));
  if (checked.ok && Array.isArray(list))
    return { ok: true, value: Buffer.from(new JsonObjectBytes(expanded.value).getText('input') ?? '[]') };
  return denyItems(checked.ok ? NO_LIST.error : checked.error);
}

/** The error of an input, for the items. */
function denyItems({ message, param }: GatewayError): ReturnType<typeof deny> {
  return deny('invalid_request', message.replace(/\binput\b/g, 'items'), {
    param: (param ?? 'input').replace(/^input/, 'items'),
  });
}

/** Passthrough checks only what it reads; translation reads each item. A conversation may get either. */
function checkInput(text: string): Result<unknown> {
  const parsed = parseOpenAiResponsesRequest(text);
  return parsed.ok ? decodeOpenAiResponsesRequest(parseJsonObject(text) ?? {}) : parsed;
}

function asInput(items: Buffer): Buffer {
  return Buffer.concat([Buffer.from('{"model":"any","input":'), items, Buffer.from('}')]);
}

function readMetadata(given: unknown): Result<Metadata | null> {
  if (given === undefined) return { ok: true, value: null };
  if (given === null) return { ok: true, value: {} };
  const entries = Object.entries(asObject(given) ?? { '': null });
  const isValid = entries.every(
    ([key, value]) =>
      key !== '' &&
      key.length <= maxMetadataKey &&
      typeof value === 'string' &&
      value.length <= maxMetadataValue,
  );
  return isValid && entries.length <= maxMetadata ? { ok: true, value: given as Metadata } : WRONG_METADATA;
}

const NO_LIST = deny('invalid_request', 'items must be a list.', { param: 'items' });
const WRONG_METADATA = deny(
  'invalid_request',
  `metadata must be an object of at most ${maxMetadata} texts, with keys of at most ${maxMetadataKey} characters and values of at most ${maxMetadataValue}.`,
  { param: 'metadata' },
);
