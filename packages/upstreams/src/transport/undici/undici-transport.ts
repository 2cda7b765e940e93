import { createSecureContext, getCACertificates } from 'node:tls';
import { Agent, Pool, type Client, type Dispatcher } from 'undici';
import { redactProxyUrl } from '../../connection/proxy-url.ts';
import { encodeRequestHead } from '../http1/encode-head.ts';
import { getReadingFailure } from '../http1/failures.ts';
import { parseOrigin } from '../http1/origin.ts';
import {
  CLOSED_TRANSPORT,
  DEFAULT_TIMEOUTS,
  lengthOfBody,
  type RetirableTransport,
  type UpstreamFailure,
  type UpstreamRequest,
  type UpstreamTimeouts,
  type UpstreamTransport,
} from '../transport.ts';
import { createConnector } from './create-connector.ts';
import { createCountingClient } from './counting-client.ts';
import { readBody } from './read-body.ts';
import { UndiciCall } from './undici-call.ts';

/** Interval of the timeout check, as in the other client. */
const SWEEP_MS = 100;
const MAX_HEAD_BYTES = 64 * 1024;
/** The rules of the other client for idle connections. */
const KEEP_ALIVE: Client.Options = {
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 300_000,
  keepAliveTimeoutThreshold: 1_000,
};
const CUT: UpstreamFailure = { kind: 'cut', detail: 'the transport was closed' };

export interface UndiciTransportOptions {
  /** A forward proxy, with its credential; null: connections are direct. */
  proxy?: string | null;
  /** PEM certificates to trust in addition to Node's own. */
  ca?: string | null;
  /** Offers HTTP/2 to providers over TLS. */
  http2?: boolean;
  /** Default timeouts of calls. `connectMs` is the limit of every connection. */
  timeouts?: UpstreamTimeouts;
}

/**
 * The transport for providers behind a forward proxy, with custom certificates, or over HTTP/2. Its calls behave like
 * those of the HTTP/1.1 transport; `differential.test.ts` compares the two.
 */
export function createUndiciTransport(options: UndiciTransportOptions = {}): RetirableTransport {
  return new UndiciTransport(options);
}

class UndiciTransport implements RetirableTransport {
  readonly #timeouts: UpstreamTimeouts;
  readonly #proxy: { proxy: URL; authorization: string | null } | null;
  readonly #redactedProxy: string | null;
  /** Sends to providers, through a tunnel if there is a proxy. */
  readonly #agent: Agent;
  /** Sends to the proxy, which forwards requests to http origins; null: no proxy. */
  readonly #forwarder: Agent | null;
  readonly #calls = new Set<UndiciCall>();
  #sweep: ReturnType<typeof setInterval> | null = null;
  #isClosed = false;
  #isRetired = false;

  constructor({
    proxy = null,
    ca = null,
    http2 = false,
    timeouts = DEFAULT_TIMEOUTS,
  }: UndiciTransportOptions) {
    this.#timeouts = timeouts;
    this.#proxy = proxy === null ? null : parseProxy(proxy);
    this.#redactedProxy = proxy === null ? null : redactProxyUrl(proxy);
    const secureContext = createSecureContext(
      ca === null ? {} : { ca: [...getCACertificates('default'), ca] },
    );
    const { connectMs } = timeouts;
    const shared = { secureContext, connectMs };
    this.#agent = createAgent({ ...shared, usesHttp2: http2, tunnel: this.#proxy });
    this.#forwarder =
      this.#proxy === null
        ? null
        : createAgent({ ...shared, usesHttp2: false, forwarder: this.#proxy.proxy, tunnel: null });
  }

  send(...[request, listener]: Parameters<UpstreamTransport['send']>): UndiciCall {
    const isForwarded = this.#forwarder !== null && request.origin.startsWith('http:');
    const call = new UndiciCall({
      listener,
      timeouts: request.timeouts ?? this.#timeouts,
      forwarder: isForwarded ? this.#redactedProxy : null,
      onOver: (ended) => this.#forget(ended),
    });
    this.#calls.add(call);
    this.#sweep ??= setInterval(() => this.#checkTime(), SWEEP_MS);
    // `send` never calls a listener, but undici may.
    process.nextTick(() => {
      if (call.isOver) return;
      const failure = this.#isClosed ? CLOSED_TRANSPORT : this.#tryDispatch(call, request, isForwarded);
      if (failure !== null) call.fail(failure);
    });
    return call;
  }

  retire(): void {
    this.#isRetired = true;
    this.#closeIfIdle();
  }

  isIdle(): boolean {
    return this.#calls.size === 0;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#calls) call.fail(CUT);
    await Promise.all([this.#agent.destroy(), this.#forwarder?.destroy()]);
  }

  #tryDispatch(call: UndiciCall, request: UpstreamRequest, isForwarded: boolean): UpstreamFailure | null {
    const { origin, path, headers, body } = request;
    try {
      const { authority } = parseOrigin(origin);
      // Refuses what the other client refuses.
      const bodyBytes = lengthOfBody(body);
      encodeRequestHead({ authority, path, headers, bodyBytes });
      const { firstByteMs, idleMs } = call.timeouts;
      const options: Agent.DispatchOptions = {
        origin,
        path,
        method: request.method ?? 'POST',
        headers: withLength(headers, bodyBytes),
        body: readBody(body, call),
        // For HTTP/2, where undici then checks whether the connection is alive.
        headersTimeout: firstByteMs,
        bodyTimeout: idleMs,
      };
      if (isForwarded) this.#forward(options, authority, call);
      else this.#agent.dispatch(options, call);
      return null;
    } catch (error) {
      return getReadingFailure(error);
    }
  }

  /** Sends the absolute form of https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 to the proxy. */
  #forward(options: Agent.DispatchOptions, authority: string, call: Dispatcher.DispatchHandler): void {
    if (this.#proxy === null || this.#forwarder === null) return;
    const { proxy, authorization } = this.#proxy;
    const headers = Array.isArray(options.headers) ? options.headers.map(String) : [];
    const hasHost = headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
    if (!hasHost) headers.push('host', authority);
    if (authorization !== null) headers.push('proxy-authorization', authorization);
    const path = `${String(options.origin)}${options.path}`;
    this.#forwarder.dispatch({ ...options, origin: proxy.origin, path, headers }, call);
  }

  #forget(call: UndiciCall): void {
    this.#calls.delete(call);
    if (this.#calls.size > 0 || this.#sweep === null) return;
    clearInterval(this.#sweep);
    this.#sweep = null;
    if (this.#isRetired) this.#closeIfIdle();
  }

  /** Later: the last call may have ended within undici, and another one may follow. */
  #closeIfIdle(): void {
    setImmediate(() => {
      if (this.#calls.size === 0) void this.close();
    });
  }

  #checkTime(): void {
    const nowMs = performance.now();
    for (const call of this.#calls) call.checkTime(nowMs);
  }
}

function createAgent(options: Parameters<typeof createConnector>[0]): Agent {
  const connect = createConnector(options);
  const shared: Client.Options = { ...KEEP_ALIVE, maxHeaderSize: MAX_HEAD_BYTES, allowH2: options.usesHttp2 };
  return new Agent({
    allowH2: options.usesHttp2,
    factory: (origin) =>
      new Pool(origin, {
        allowH2: options.usesHttp2,
        connect,
        factory: (each) => createCountingClient(each, shared, connect),
      }),
  });
}

function parseProxy(text: string): { proxy: URL; authorization: string | null } {
  const proxy = new URL(text);
  if (proxy.username === '' && proxy.password === '') return { proxy, authorization: null };
  const credential = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { proxy, authorization: `Basic ${Buffer.from(credential).toString('base64')}` };
}

/** undici sends a body in pieces as chunks if it does not know its length. */
function withLength(headers: readonly string[], bodyBytes: number): string[] {
  const hasLength = headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-length');
  return hasLength ? [...headers] : [...headers, 'content-length', String(bodyBytes)];
}
