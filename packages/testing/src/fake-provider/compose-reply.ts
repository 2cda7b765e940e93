import { encodeAnthropicBody, encodeAnthropicStream } from './encode-anthropic.ts';
import { encodeError } from './encode-error.ts';
import { encodeOpenaiBody, encodeOpenaiStream } from './encode-openai.ts';
import type { EncodedChunk } from './encoded-chunk.ts';
import { generateAnswer } from './generate-answer.ts';
import type { CompletionRequest } from './parse-completion-request.ts';
import type { FakeDialect, Script } from './script.ts';
import { splitAtEvents } from './split-body.ts';

/** A whole answer, before anything goes wrong with it. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  chunks: EncodedChunk[];
  /** Sent in chunks; else with its length. */
  isStream: boolean;
}

const JSON_TYPE = 'application/json';
const SSE_TYPE = 'text/event-stream; charset=utf-8';

/** Turns a script into the answer to one request. */
export function composeReply(dialect: FakeDialect, request: CompletionRequest, script: Script): Reply {
  const reply = composeBody(dialect, request, script);
  const headers: Record<string, string> = { ...PROVIDER_HEADERS[dialect], ...reply.headers };
  if (script.contentType !== undefined) headers['content-type'] = script.contentType;
  return { ...reply, headers };
}

function composeBody(dialect: FakeDialect, request: CompletionRequest, script: Script): Reply {
  const contentType = request.isStream ? SSE_TYPE : JSON_TYPE;
  if (script.error !== undefined) {
    const { status, retryAfterSeconds } = script.error;
    return {
      status,
      headers: {
        'content-type': JSON_TYPE,
        ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
      },
      chunks: [plain(encodeError(dialect, status))],
      isStream: false,
    };
  }
  if (script.garbage !== undefined) {
    const chunks = [plain(garbageOf(script.garbage))];
    return { status: 200, headers: { 'content-type': contentType }, chunks, isStream: request.isStream };
  }
  if (script.replay !== undefined) return composeReplay(script.replay, contentType, request.isStream);
  const completion = generateAnswer(request, script.answer ?? {});
  return {
    status: 200,
    headers: { 'content-type': contentType },
    chunks: encode(dialect, request, completion),
    isStream: request.isStream,
  };
}

function composeReplay(replay: NonNullable<Script['replay']>, contentType: string, isStream: boolean): Reply {
  const body = typeof replay.body === 'string' ? Buffer.from(replay.body) : Buffer.from(replay.body);
  const pieces = isStream ? splitAtEvents(body) : [body];
  const chunks = pieces.map(plain);
  const last = chunks.at(-1);
  if (last !== undefined && replay.usage !== undefined) last.usage = replay.usage;
  return {
    status: replay.status ?? 200,
    headers: { 'content-type': replay.contentType ?? contentType, ...replay.headers },
    chunks,
    isStream,
  };
}

function encode(
  dialect: FakeDialect,
  request: CompletionRequest,
  completion: ReturnType<typeof generateAnswer>,
): EncodedChunk[] {
  if (dialect === 'anthropic-messages') {
    return request.isStream ? encodeAnthropicStream(completion) : encodeAnthropicBody(completion);
  }
  return request.isStream
    ? encodeOpenaiStream(completion, request.includesUsage)
    : encodeOpenaiBody(completion);
}

function plain(bytes: Buffer): EncodedChunk {
  return { bytes, outputTokens: 0, usage: null };
}

/** Deterministic, with every byte value in it, so neither UTF-8 nor JSON nor SSE. */
function garbageOf(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 167 + 255) & 0xff));
}

const PROVIDER_HEADERS: Record<FakeDialect, Record<string, string>> = {
  'openai-chat': {
    'openai-organization': 'org-fake',
    'openai-processing-ms': '1',
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': '500',
    'x-ratelimit-remaining-requests': '499',
    'x-request-id': 'req_fake0001',
  },
  'anthropic-messages': {
    'anthropic-organization-id': 'org-fake',
    'anthropic-ratelimit-requests-limit': '500',
    'anthropic-ratelimit-requests-remaining': '499',
    'request-id': 'req_fake0001',
  },
};
