import type { IncomingHttpHeaders } from 'node:http';
import type { AgentScript } from '../agent-model/agent-script.ts';
import { encodeAnthropicBody, encodeAnthropicStream } from './encode-anthropic.ts';
import { encodeError } from './encode-error.ts';
import { encodeOpenaiBody, encodeOpenaiStream } from './encode-openai.ts';
import type { EncodedChunk } from './encoded-chunk.ts';
import { generateAnswer } from './generate-answer.ts';
import type { CompletionRequest } from './parse-completion-request.ts';
import type { FakeDialect, Script } from './script.ts';
import { splitAtEvents } from './split-body.ts';

/** A whole response, before any failure is applied. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  chunks: EncodedChunk[];
  /** True: chunked; false: with a length. */
  isStream: boolean;
}

/** Bytes that replace the rest of a response. */
const GARBAGE_BYTES = 200;
const JSON_TYPE = 'application/json';
const SSE_TYPE = 'text/event-stream; charset=utf-8';

/**
 * Creates the response of a script to one request.
 * @param received the headers of the request
 */
export async function composeReply(
  dialect: FakeDialect,
  request: CompletionRequest,
  { script, received }: { script: Script; received: IncomingHttpHeaders },
): Promise<Reply> {
  const composed =
    script.agent === undefined || script.error !== undefined
      ? composeBody(dialect, request, script)
      : await composeAgentReply(dialect, request, { script: script.agent, headers: received });
  const reply = spoil(composed, script.garbageAfterBytes);
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
    const chunks = [plain(createGarbage(script.garbage))];
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

async function composeAgentReply(
  dialect: FakeDialect,
  request: CompletionRequest,
  agent: { script: AgentScript; headers: IncomingHttpHeaders },
): Promise<Reply> {
  // Loads the schemas of the official SDKs, which only agent tests need.
  const { answerAgent } = await import('../agent-model/answer-agent.ts');
  const { status, chunks } = answerAgent(dialect, request, agent);
  const isStream = request.isStream && status === 200;
  return { status, headers: { 'content-type': isStream ? SSE_TYPE : JSON_TYPE }, chunks, isStream };
}

function composeReplay(replay: NonNullable<Script['replay']>, contentType: string, isStream: boolean): Reply {
  const body = typeof replay.body === 'string' ? Buffer.from(replay.body) : toBuffer(replay.body);
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

/** A view without a copy: recorded bodies may be large, and are never modified. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Keeps this much of a response, and replaces the rest with garbage. */
function spoil(reply: Reply, keptBytes: number | undefined): Reply {
  if (keptBytes === undefined) return reply;
  const kept: EncodedChunk[] = [];
  let room = keptBytes;
  for (const chunk of reply.chunks) {
    if (room <= 0) break;
    kept.push(chunk.bytes.length <= room ? chunk : plain(chunk.bytes.subarray(0, room)));
    room -= chunk.bytes.length;
  }
  return { ...reply, chunks: [...kept, plain(createGarbage(GARBAGE_BYTES))] };
}

/** Deterministic, with all byte values, so invalid as UTF-8, JSON and SSE. */
function createGarbage(length: number): Buffer {
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
