import type { Buffer } from 'node:buffer';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectSecure, type SecureContext } from 'node:tls';
import type { buildConnector } from 'undici';
import { getConnectionFailure, type ConnectionPhase } from '../http1/failures.ts';
import { parseOrigin } from '../http1/origin.ts';
import type { UpstreamFailure } from '../transport.ts';
import { redactProxyUrl } from '../../connection/proxy-url.ts';
import { ConnectionFailure, getSilentProxyFailure } from './connection-failure.ts';
import { openTunnel } from './open-tunnel.ts';

/** Idle connections are probed, as those of the other client. */
const PROBE_AFTER_MS = 30_000;

export interface ConnectorOptions {
  secureContext: SecureContext;
  usesHttp2: boolean;
  /** For the TCP connection, the tunnel and TLS together. */
  connectMs: number;
  /** Connections go to this proxy itself, which forwards the requests; absent: they go to providers. */
  forwarder?: URL;
  /** null: connections are direct. */
  tunnel: { proxy: URL; authorization: string | null } | null;
}

/** @param onWait gets the proxy that the connection waits for, and null once it waits for the provider */
export type Connector = (
  target: buildConnector.Options,
  callback: buildConnector.Callback,
  onWait?: (proxy: string | null) => void,
) => void;

/** Opens the connections of undici, so that each failure is reported as the same failure as with the other client. */
export function createConnector(options: ConnectorOptions): Connector {
  const sessions = new Map<string, Buffer>();
  return ({ protocol, host, port }, callback, onWait = () => undefined) => {
    const origin = parseOrigin(`${protocol}//${host ?? ''}${hasPort(host) || port === '' ? '' : `:${port}`}`);
    const opening = new Opening(options, callback, onWait);
    const secure = (plain: Socket): void => {
      if (!origin.isSecure) {
        opening.succeed(plain);
        return;
      }
      opening.phase = 'securing';
      const key = origin.authority;
      const session = sessions.get(key);
      const socket = connectSecure({
        socket: plain,
        secureContext: options.secureContext,
        ALPNProtocols: options.usesHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
        host: origin.host,
        ...(origin.serverName === null ? {} : { servername: origin.serverName }),
        ...(session === undefined ? {} : { session }),
      });
      socket.on('session', (fresh: Buffer) => sessions.set(key, fresh));
      opening.watch(socket);
      socket.once('secureConnect', () => opening.succeed(socket));
    };
    if (options.tunnel === null) {
      const plain = connectPlain({ host: origin.host, port: origin.port });
      opening.watch(plain);
      plain.once('connect', () => secure(plain));
      return;
    }
    const stop = openTunnel({
      ...options.tunnel,
      target: `${origin.host.includes(':') ? `[${origin.host}]` : origin.host}:${origin.port}`,
      secureContext: options.secureContext,
      onOpen: (socket) => {
        opening.reachProvider();
        opening.watch(socket);
        secure(socket);
      },
      onFail: (detail) => opening.fail({ kind: 'connect', detail }),
    });
    opening.onEnd = stop;
  };
}

/** True for `host:port` and `[v6]:port`. */
function hasPort(host: string | undefined): boolean {
  return /:\d+$/.test((host ?? '').replace(/^\[.*\]/, ''));
}

/** One attempt to connect, which ends once. */
class Opening {
  readonly #callback: buildConnector.Callback;
  readonly #onWait: (proxy: string | null) => void;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #sockets: Socket[] = [];
  #isOver = false;
  /** Without its credential; null: it was passed, or there is none. */
  #awaitedProxy: string | null;
  phase: ConnectionPhase = 'connecting';
  /** Ends what is not a socket yet. */
  onEnd: () => void = () => undefined;

  constructor(
    { connectMs, forwarder, tunnel }: Pick<ConnectorOptions, 'connectMs' | 'forwarder' | 'tunnel'>,
    callback: buildConnector.Callback,
    onWait: (proxy: string | null) => void,
  ) {
    this.#callback = callback;
    this.#onWait = onWait;
    const proxy = forwarder ?? tunnel?.proxy;
    this.#awaitedProxy = proxy === undefined ? null : redactProxyUrl(proxy.href);
    this.#onWait(this.#awaitedProxy);
    this.#timer = setTimeout(() => this.#expire(connectMs), connectMs);
  }

  /** The proxy has opened the tunnel. */
  reachProvider(): void {
    this.#awaitedProxy = null;
    if (!this.#isOver) this.#onWait(null);
  }

  #expire(connectMs: number): void {
    const failure = { kind: 'connect', detail: `no connection within ${connectMs} ms` } as const;
    this.fail(this.#awaitedProxy === null ? failure : getSilentProxyFailure(failure, this.#awaitedProxy));
  }

  watch(socket: Socket): void {
    this.#sockets.push(socket);
    socket.on('error', (error) => this.fail(getConnectionFailure(this.phase, error)));
    socket.on('close', () =>
      this.fail(getConnectionFailure(this.phase, new Error('the connection was closed'))),
    );
  }

  /**
   * Reads the socket once more first: undici looks for bytes before it writes a request over HTTP/1.1, and would read later
   * ones as the response. HTTP/2 begins with bytes of the server.
   */
  succeed(socket: Socket): void {
    socket.read(0);
    setImmediate(() => {
      if (!this.#end()) return;
      socket.setNoDelay(true);
      socket.setKeepAlive(true, PROBE_AFTER_MS);
      this.#callback(null, socket);
    });
  }

  fail(failure: UpstreamFailure): void {
    if (!this.#end()) return;
    for (const socket of this.#sockets) socket.destroy();
    this.onEnd();
    const proxy = this.#awaitedProxy;
    this.#callback(new ConnectionFailure(proxy === null ? failure : { ...failure, proxy }), null);
  }

  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    return true;
  }
}
