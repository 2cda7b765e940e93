import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { markPrompt } from '@tollgate/testing/fake-provider/metered-model';
import type { TestedEndpoint } from '../../tested-endpoints.ts';

/** One request of a client. */
export interface Question {
  /** Ends with `/v1`. */
  baseUrl: string;
  secret: string;
  endpoint: TestedEndpoint;
  model: string;
  /** Links the request to the provider's metering. */
  marker: string;
  stream: boolean;
  /** null: no maximum, except on the endpoint that requires one. */
  maxTokens: number | null;
  /** Makes the client disconnect when it is aborted. */
  leave?: AbortSignal;
  onData?: (received: string) => void;
}

/**
 * How a response ended for its client: `whole`; `broken`: the connection or stream was interrupted; `left`: the client
 * disconnected; `unreached`: the connection was refused; `closed`: a reused connection was already closed.
 */
type Ending = 'whole' | 'broken' | 'left' | 'unreached' | 'closed';

export interface Answer {
  marker: string;
  ending: Ending;
  /** null: no status line arrived. */
  status: number | null;
  /** `x-request-id`. */
  requestId: string | null;
  /** The error code in the response or its stream; the Messages API has only a type. null: none. */
  error: string | null;
  retryAfterSeconds: number | null;
  /** `x-tollgate-cost`. */
  costUsd: string | null;
  body: string;
  /** True if the whole response arrived: a stream with its terminator, even if its connection broke right after. */
  isReceived: boolean;
  tookMs: number;
}

/** Enough sockets for every client at the same time; close it with `destroy()`. */
export function openSockets(): Agent {
  return new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 4_096 });
}

/** Sends a request and reads the response to its end. Never throws. */
export function ask(question: Question, agent: Agent): Promise<Answer> {
  const startMs = performance.now();
  const body = JSON.stringify(getBody(question));
  const answer: Answer = {
    marker: question.marker,
    ending: 'unreached',
    status: null,
    requestId: null,
    error: null,
    retryAfterSeconds: null,
    costUsd: null,
    body: '',
    isReceived: false,
    tookMs: 0,
  };
  return new Promise((resolve) => {
    const finish = (ending: Ending) => {
      answer.ending = question.leave?.aborted === true && ending !== 'whole' ? 'left' : ending;
      answer.tookMs = performance.now() - startMs;
      const isStream = question.stream && answer.status === 200;
      const isCut = isStream && !TERMINATORS[question.endpoint.dialect].test(answer.body);
      if (answer.ending === 'whole' && isCut) answer.ending = 'broken';
      answer.isReceived = answer.status === 200 && !isCut && (isStream || answer.ending === 'whole');
      if (answer.status !== null && (answer.status !== 200 || isCut)) answer.error = getError(answer.body);
      resolve(answer);
    };
    const outgoing = httpRequest(`${question.baseUrl}${question.endpoint.path}`, {
      method: 'POST',
      agent,
      headers: { ...question.endpoint.headers(question.secret), 'content-length': Buffer.byteLength(body) },
      ...(question.leave && { signal: question.leave }),
    });
    outgoing.once('error', (error) => {
      if (answer.status === null) finish(getEnding(error, outgoing.reusedSocket));
    });
    outgoing.once('response', (response) => {
      noteHead(answer, response);
      response.on('data', (bytes: Buffer) => {
        answer.body += String(bytes);
        question.onData?.(answer.body);
      });
      response.once('error', () => undefined);
      response.once('close', () => finish(response.complete ? 'whole' : 'broken'));
    });
    outgoing.end(body);
  });
}

const DEMANDED_MAX_TOKENS = 1_000;

function getBody({ endpoint, model, marker, stream, maxTokens }: Question): object {
  const content = markPrompt(marker);
  const base = { model, stream };
  const messages = [{ role: 'user', content }];
  switch (endpoint.dialect) {
    case 'openai-responses':
      return { ...base, input: content, ...(maxTokens !== null && { max_output_tokens: maxTokens }) };
    case 'openai-chat':
      return { ...base, messages, ...(maxTokens !== null && { max_tokens: maxTokens }) };
    case 'anthropic-messages':
      return { ...base, messages, max_tokens: maxTokens ?? DEMANDED_MAX_TOKENS };
  }
}

function noteHead(answer: Answer, { statusCode, headers }: IncomingMessage): void {
  const text = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : null;
  };
  answer.status = statusCode ?? null;
  answer.requestId = text('x-request-id');
  answer.costUsd = text('x-tollgate-cost');
  const after = Number(text('retry-after') ?? NaN);
  answer.retryAfterSeconds = Number.isFinite(after) ? after : null;
}

/** The terminator of a complete stream. */
const TERMINATORS: Record<TestedEndpoint['dialect'], RegExp> = {
  'openai-chat': /^data: \[DONE\]$/m,
  'anthropic-messages': /^event: message_stop$/m,
  'openai-responses': /^event: response\.(completed|incomplete)$/m,
};

/** The Messages API returns only a type, the others also a code. */
function getError(body: string): string | null {
  return /"code":\s*"([a-z_]+)"/.exec(body)?.[1] ?? /"type":\s*"([a-z_]+_error)"/.exec(body)?.[1] ?? null;
}

/** The ending without a status line. A server may close a kept connection just before it is reused. */
function getEnding(error: Error, isKept: boolean): Ending {
  const code = 'code' in error ? error.code : null;
  if (code === 'ECONNREFUSED') return 'unreached';
  return isKept && (code === 'ECONNRESET' || code === 'EPIPE') ? 'closed' : 'broken';
}
