import { Buffer } from 'node:buffer';
import { HeapExceeded } from '@tollgate/dialects/json/heap-guard';
import { parsedSize } from '@tollgate/dialects/json/parsed-size';
import type { Result } from '@tollgate/core/errors/errors';
import { getRedactor, type Redact, type RedactorSource } from '../../catalogue/error-redactor.ts';
import { chatCompletionsEndpoint, messagesEndpoint, responsesEndpoint } from '../../endpoints.ts';
import {
  readWhole,
  type AnswerSpec,
  type AnswerTranslation,
  type ReadAnswer,
} from '../../pipeline/read-whole.ts';
import { UNREADABLE_ANSWER } from '../../pipeline/upstream-failure.ts';
import { countTokensEndpoint } from '../../routes/count-tokens.ts';
import { embeddingsEndpoint } from '../../routes/embeddings.ts';
import { inputTokensEndpoint } from '../../routes/input-tokens.ts';
import type { Endpoint } from '../parse-body.ts';
import { freeMemory } from './free-memory.ts';
import { MAX_PARSED_BYTES } from './max-parsed-bytes.ts';

/** How a provider's large response is read. */
export interface ReadSource {
  endpoint: Endpoint;
  inputTokens: number;
  /** Input tokens by what the model reads. */
  estimatedInput: number;
  redactors: readonly RedactorSource[];
  translation: AnswerTranslation | null;
  carriesItems?: boolean;
}

/** Reads a large response. Its bytes move to the thread, and return if the caller gets them unchanged. */
export interface ReadJob extends ReadSource {
  kind: 'read';
  pieces: Uint8Array<ArrayBuffer>[];
}

export interface ReadJobAnswer {
  /** What the caller gets; empty for an error. */
  pieces: Uint8Array<ArrayBuffer>[];
  /** `unreadable`: invalid; `oversize`: too large for the thread when parsed; `failure`: reading failed. */
  read: Result<Omit<ReadAnswer, 'text'>> | 'unreadable' | 'oversize' | { failure: string };
}

const ENDPOINTS: Record<Endpoint, AnswerSpec> = {
  '/v1/chat/completions': chatCompletionsEndpoint,
  '/v1/messages': messagesEndpoint,
  '/v1/messages/count_tokens': countTokensEndpoint,
  '/v1/responses': responsesEndpoint,
  '/v1/responses/input_tokens': inputTokensEndpoint,
  '/v1/embeddings': embeddingsEndpoint,
};

/** Runs the job in the calling thread. */
export function runReadJob(job: ReadJob): ReadJobAnswer {
  const { pieces } = job;
  const { text, read } = readPieces(job);
  if (text === null && typeof read === 'object' && 'ok' in read && read.ok) return { pieces, read };
  for (const piece of pieces) freeMemory(piece);
  return { pieces: text === null ? [] : [getOwnBytes(text)], read };
}

function readPieces(job: ReadJob): Pick<ReadJobAnswer, 'read'> & { text: string | null } {
  const { pieces, endpoint, inputTokens, estimatedInput, redactors, translation, carriesItems = false } = job;
  let redact: Redact | null = null;
  try {
    const bytes = Buffer.concat(pieces);
    if (parsedSize(bytes) > MAX_PARSED_BYTES) return { text: null, read: 'oversize' };
    const whole = readWhole(bytes, {
      spec: ENDPOINTS[endpoint],
      inputTokens,
      estimateInput: () => estimatedInput,
      redact: (text) => (redact ??= getRedactor(redactors))(text),
      translation,
      carriesItems,
    });
    if (whole.ok) {
      const { text, ...value } = whole.value;
      return { text, read: { ok: true, value } };
    }
    return { text: null, read: whole.error === UNREADABLE_ANSWER ? 'unreadable' : whole };
  } catch (error) {
    if (error instanceof HeapExceeded) return { text: null, read: 'oversize' };
    return { text: null, read: { failure: String(error) } };
  }
}

/** Short texts share their memory, which cannot move to another thread. */
function getOwnBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(text);
  return bytes.byteLength === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
}
