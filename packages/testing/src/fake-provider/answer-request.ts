import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { composeReply, type Reply } from './compose-reply.ts';
import { deliverReply } from './deliver-reply.ts';
import { encodeError } from './encode-error.ts';
import { listModels } from './list-models.ts';
import { parseCompletionRequest, type CompletionRequest } from './parse-completion-request.ts';
import { findPlainEndpoint } from './plain-endpoints.ts';
import type { FakeDialect, Script, ScriptBook } from './script.ts';
import type { ServedRequest } from './served-request.ts';

export interface FakeProviderOptions {
  /** The required key, as Bearer or `x-api-key`; others get its 401. Default: any. */
  apiKey?: string;
  /** What `GET /v1/models` lists. Default: `fake-model`. */
  models?: readonly string[];
}

interface Exchange {
  incoming: IncomingMessage;
  response: ServerResponse;
  book: ScriptBook;
  options: FakeProviderOptions;
  /** Called with the record when the request has arrived. */
  note(record: ServedRequest): void;
  /** Settles when this function ends. */
  finished: Promise<void>;
  /** Aborts when the provider closes. */
  closing: AbortSignal;
}

const DIALECT_OF_PATH: Record<string, FakeDialect> = {
  '/v1/chat/completions': 'openai-chat',
  '/v1/messages': 'anthropic-messages',
};

/** Reads and records a request, and responds by the scripts. */
export async function answerRequest(exchange: Exchange): Promise<void> {
  const { incoming, response, book, options } = exchange;
  const receivedAtMs = performance.now();
  const body = await readBody(incoming);
  if (body === null) return;
  const request = parseCompletionRequest(body);
  const path = (incoming.url ?? '/').replace(/\?.*$/, '');
  const record: ServedRequest = {
    method: incoming.method ?? 'GET',
    path,
    query: (incoming.url ?? '').slice(path.length),
    headers: incoming.headers,
    body,
    dialect: (incoming.method === 'POST' ? DIALECT_OF_PATH[path] : undefined) ?? null,
    model: request.model,
    isStream: request.isStream,
    receivedAtMs,
    status: null,
    bytesSent: 0,
    outputTokensSent: 0,
    usage: null,
    outcome: 'pending',
    abortedAtMs: null,
    finished: exchange.finished,
  };
  exchange.note(record);
  const script: Script = isAllowed(incoming, options.apiKey)
    ? book.take({ request, path, headers: incoming.headers })
    : { error: { status: 401 } };
  const reply = await chooseReply({ record, request, script, models: options.models ?? ['fake-model'] });
  const disconnected = watchClient(response, record, exchange.closing);
  await deliverReply({ response, reply, script, record, disconnected });
}

/** @returns null if the client disconnected before the end of its body */
async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  try {
    return await buffer(incoming);
  } catch {
    return null;
  }
}

async function chooseReply(input: {
  record: ServedRequest;
  request: CompletionRequest;
  script: Script;
  models: readonly string[];
}): Promise<Reply> {
  const { record, request, script, models } = input;
  const spec =
    record.dialect ?? ('anthropic-version' in record.headers ? 'anthropic-messages' : 'openai-chat');
  // A replayed body fits any path, also of dialects that the fake does not support.
  if (record.dialect !== null || script.error !== undefined || script.replay !== undefined)
    return composeReply(spec, request, { script, received: record.headers });
  const plain = findPlainEndpoint(record.method, record.path);
  if (plain !== null) {
    if (script.garbage !== undefined || script.replay !== undefined)
      return composeReply(plain.dialect, request, { script, received: record.headers });
    const chunks = [plain.answer(request, script.answer ?? {})];
    return { status: 200, headers: { 'content-type': 'application/json' }, chunks, isStream: false };
  }
  const isList = record.method === 'GET' && record.path === '/v1/models';
  const bytes = isList ? listModels(spec, models) : encodeError(spec, 404);
  return {
    status: isList ? 200 : 404,
    headers: { 'content-type': 'application/json' },
    chunks: [{ bytes, outputTokens: 0, usage: null }],
    isStream: false,
  };
}

function isAllowed(incoming: IncomingMessage, apiKey: string | undefined): boolean {
  if (apiKey === undefined) return true;
  return incoming.headers.authorization === `Bearer ${apiKey}` || incoming.headers['x-api-key'] === apiKey;
}

/** Records an early disconnect of the client; the signal also aborts when the provider closes. */
function watchClient(response: ServerResponse, record: ServedRequest, closing: AbortSignal): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    if (record.outcome === 'pending' && !response.writableFinished) {
      record.outcome = closing.aborted ? 'cut' : 'aborted';
      if (!closing.aborted) record.abortedAtMs = performance.now();
    }
    left.abort();
  });
  return AbortSignal.any([left.signal, closing]);
}
