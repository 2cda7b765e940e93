import type { Buffer } from 'node:buffer';
import { asObject, parseJson, type JsonObject } from '@tollgate/dialects/json/parse-object';
import type { ProviderError } from '@tollgate/dialects/provider-error';
import type { Redact } from '../catalogue/error-redactor.ts';
import type { Outcome } from './outcome.ts';
import { recordedError, storableText, type SentText } from './stored-text.ts';

/** What a provider said in an error response, redacted, for the record of the attempt. */
export interface ProviderSaid {
  /** The HTTP status. */
  status: number;
  /** The error code or type; null: it sent none. */
  type: string | null;
  /** null: nothing, or only operators may read it. */
  message: string | null;
  /** About the operator's account, for operators; null: nothing. */
  refusal: string | null;
  /** The text of an error page, for operators; null: none. */
  detail: string | null;
}

interface ReadError {
  error: ProviderError;
  /** The parsed body; its text if it is not JSON. */
  body: unknown;
  redact: Redact;
  /** True: the error is about the operator's account, so its message is recorded elsewhere. */
  isAboutAccount: boolean;
  sent: SentText;
}

/** A body that is not JSON may describe servers of the provider: only operators read it. */
export function toProviderSaid(
  status: number,
  { error, body, redact, isAboutAccount, sent }: ReadError,
): ProviderSaid {
  const isText = typeof body === 'string';
  const text = redact(isText ? toLine(body) : error.message);
  const message = isAboutAccount || text === '' ? null : storableText(text, sent);
  const type = findType(body, error);
  return {
    status,
    type: type === null ? null : redact(type),
    message: isText ? null : message,
    refusal: null,
    detail: isText ? message : null,
  };
}

/** @returns the text itself if it cannot be parsed */
export function parseErrorBody(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  return parseJson(text) ?? text;
}

/** The message and the parameter of a provider's error that a caller got, in any dialect, as they are recorded. */
export function readSentError(body: JsonObject, sent: SentText): NonNullable<Outcome['error']> | null {
  const error = asObject(body['error']);
  const message = error?.['message'];
  if (typeof message !== 'string') return null;
  const param = error?.['param'];
  return recordedError({ message, isProviders: true, ...(typeof param === 'string' && { param }) }, sent);
}

/** Anything else may be text of the request. */
const TYPE = /^[\w.:-]{1,64}$/;

/** The provider's own name of the error is more specific than the kind that it was decoded to. */
function findType(body: unknown, { code }: ProviderError): string | null {
  const type = code ?? findName(body);
  return type !== null && TYPE.test(type) ? type : null;
}

function findName(body: unknown): string | null {
  const object = asObject(Array.isArray(body) ? body[0] : body);
  const error = asObject(object?.['error']) ?? object;
  const names = [error?.['code'], error?.['type'], error?.['status']];
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? null;
}

/** The text of an error page on one line, without tags. */
function toLine(text: string): string {
  return text
    .slice(0, 4_096)
    .replaceAll(/<[^<>]{0,500}>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
