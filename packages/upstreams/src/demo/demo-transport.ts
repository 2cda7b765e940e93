import { Buffer } from 'node:buffer';
import { asObject, parseJsonObject, type JsonObject } from '@tollgate/dialects/json/parse-object';
import {
  joinBody,
  type UpstreamCall,
  type UpstreamListener,
  type UpstreamRequest,
  type UpstreamTransport,
} from '../transport/transport.ts';
import { answerMessage, encodeMessage, encodeMessageStream } from './anthropic-messages.ts';
import { refuseChat } from './refuse-chat.ts';
import { answerChat, encodeChatCompletion, encodeChatStream } from './openai-chat.ts';

/** Delay between stream events, long enough to see the stream. */
const EVENT_INTERVAL_MS = 15;

/** The built-in demo provider: responds in-process, in the dialect of the request's path. */
export function createDemoTransport(intervalMs = EVENT_INTERVAL_MS): UpstreamTransport {
  const calls = new Set<DemoCall>();
  return {
    send(request, listener) {
      const call = new DemoCall(listener, intervalMs, () => calls.delete(call));
      calls.add(call);
      call.start(request);
      return call;
    },
    close() {
      for (const call of calls) call.abort();
      return Promise.resolve();
    },
  };
}

class DemoCall implements UpstreamCall {
  readonly connectMs = null;
  readonly isSent = true;
  readonly #listener: UpstreamListener;
  readonly #intervalMs: number;
  readonly #onOver: () => void;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #events: string[] = [];
  #isPaused = false;

  constructor(listener: UpstreamListener, intervalMs: number, onOver: () => void) {
    this.#listener = listener;
    this.#intervalMs = intervalMs;
    this.#onOver = onOver;
  }

  start(request: UpstreamRequest): void {
    const { status, contentType, events } = answer(request);
    this.#events = events;
    // One turn later, as in every transport: `send` never calls a listener.
    this.#timer = setTimeout(() => {
      this.#listener.onStart(status, (name) => (name === 'content-type' ? contentType : null));
      this.#sendNext();
    }, 0);
  }

  abort(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#events = [];
    this.#onOver();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (this.#timer === null && this.#events.length > 0) this.#sendNext();
  }

  #sendNext(): void {
    this.#timer = null;
    const event = this.#events.shift();
    if (event === undefined) return;
    const isLast = this.#events.length === 0;
    this.#listener.onData(Buffer.from(event));
    if (isLast) {
      this.#onOver();
      this.#listener.onEnd();
    } else if (!this.#isPaused && this.#timer === null && this.#events.length > 0) {
      this.#timer = setTimeout(() => this.#sendNext(), this.#intervalMs);
    }
  }
}

interface DemoResponse {
  status: number;
  contentType: string;
  events: string[];
}

function answer(request: UpstreamRequest): DemoResponse {
  const bytes = joinBody(request.body);
  const body = parseJsonObject(bytes.toString('utf8')) ?? {};
  const model = typeof body['model'] === 'string' ? body['model'] : '';
  const isStream = body['stream'] === true;
  // Claude Code sends `?beta=true`.
  const isMessage = request.path.split('?', 1)[0]?.endsWith('/messages') === true;
  const refusal = isMessage ? null : refuseChat(body);
  if (refusal !== null) return { status: 400, contentType: 'application/json', events: [refusal] };
  const events = isMessage ? answerAsMessage(body, model, isStream) : answerAsChat(body, model, isStream);
  const contentType = isStream ? 'text/event-stream; charset=utf-8' : 'application/json';
  return { status: 200, contentType, events };
}

function answerAsMessage(body: JsonObject, model: string, isStream: boolean): string[] {
  const planned = answerMessage(body);
  const identity = { id: `msg_${randomHex()}`, model };
  return isStream ? encodeMessageStream(planned, identity) : [encodeMessage(planned, identity)];
}

function answerAsChat(body: JsonObject, model: string, isStream: boolean): string[] {
  const planned = answerChat(body);
  const identity = { id: `chatcmpl-${randomHex()}`, created: Math.floor(Date.now() / 1000), model };
  const includeUsage = asObject(body['stream_options'])?.['include_usage'] === true;
  return isStream
    ? encodeChatStream(planned, identity, includeUsage)
    : [encodeChatCompletion(planned, identity)];
}

function randomHex(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
