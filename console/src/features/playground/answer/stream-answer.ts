import { createParser } from 'eventsource-parser';
import type { Failure } from '../conversation.ts';
import type { RequestBody } from '../request/build-request.ts';
import type { Dialect } from '../search.ts';
import type { AnswerEvent } from './answer-event.ts';
import { readChatChunk } from './read-chat-chunk.ts';
import { describeErrorBody, parseJson } from './read-json.ts';
import { createMessageReader } from './read-message-event.ts';

export interface AnswerCall {
  /** Ends with `/v1`. */
  baseUrl: string;
  secret: string;
  dialect: Dialect;
  /** Without `stream`. */
  body: RequestBody;
  signal: AbortSignal;
  onRequestId: (requestId: string) => void;
  onEvents: (events: AnswerEvent[]) => void;
}

/** What is sent for a request of each dialect. */
function toWireRequest(dialect: Dialect, body: RequestBody): { path: string; body: RequestBody } {
  return dialect === 'openai'
    ? { path: '/chat/completions', body: { ...body, stream: true, stream_options: { include_usage: true } } }
    : { path: '/messages', body: { ...body, stream: true } };
}

/**
 * Sends a request and reports its stream as it arrives.
 * @returns null if the response is complete; rejects with an AbortError if it was stopped
 */
export async function streamAnswer(call: AnswerCall): Promise<Failure | null> {
  const { dialect, signal } = call;
  const wire = toWireRequest(dialect, call.body);
  let response: Response;
  try {
    response = await fetch(`${call.baseUrl}${wire.path}`, {
      method: 'POST',
      signal,
      headers: {
        authorization: `Bearer ${call.secret}`,
        'content-type': 'application/json',
        ...(dialect === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}),
      },
      body: JSON.stringify(wire.body),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    return {
      status: null,
      body: '',
      message: `${call.baseUrl} can't be reached. Check that the API is running.`,
    };
  }
  const requestId = response.headers.get('x-request-id');
  if (requestId !== null) call.onRequestId(requestId);
  if (!response.ok || response.body === null) return readRefusal(response);
  return readStream(response.body, call);
}

async function readRefusal(response: Response): Promise<Failure> {
  const text = await response.text();
  const json = parseJson(text);
  return {
    status: response.status,
    message: describeErrorBody(json) ?? `The API returned status ${response.status}.`,
    body: json === null ? text : JSON.stringify(json, null, 2),
  };
}

async function readStream(stream: ReadableStream<Uint8Array>, call: AnswerCall): Promise<Failure | null> {
  const read = call.dialect === 'openai' ? readChatChunk : createMessageReader();
  let isEnded = false;
  let failure: Failure | null = null;
  let events: AnswerEvent[] = [];
  const parser = createParser({ onEvent: ({ data }) => void events.push(...read(data)) });
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parser.feed(decoder.decode(value, { stream: true }));
      for (const event of events) {
        if (event.kind === 'end') isEnded = true;
        if (event.kind === 'error') failure = { status: null, message: event.message, body: event.body };
      }
      if (events.length > 0) call.onEvents(events);
      events = [];
    }
  } catch (error) {
    if (call.signal.aborted) throw error;
  }
  if (failure !== null || isEnded) return failure;
  return { status: null, message: 'The response ended unexpectedly. Try again.', body: '' };
}
