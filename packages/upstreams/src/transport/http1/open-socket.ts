import { Buffer } from 'node:buffer';
import { connect as connectPlain, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectSecure, type ConnectionOptions } from 'node:tls';
import type { Origin } from './origin.ts';

const SHARED_BYTES = 64 * 1024;
/** Maximum size of a TLS record: https://www.rfc-editor.org/rfc/rfc8446#section-5.1 */
const RECORD_BYTES = 16 * 1024;
/** Idle connections are probed, to detect a vanished peer before reuse. */
const PROBE_AFTER_MS = 30_000;

/**
 * Read buffer of all plain connections: the event loop reads them one after the other, and each read is consumed before
 * the next. TLS may decrypt during a write, so each secure connection has its own buffer.
 */
const shared = Buffer.allocUnsafeSlow(SHARED_BYTES);

export interface OpenSocketOptions {
  origin: Origin;
  /** PEM certificates to trust instead of Node's own. */
  ca: readonly string[] | null;
  /** TLS session of an earlier connection. */
  session: Buffer | null;
  /** Must consume the bytes before it returns: the buffer is reused. */
  onRead: (bytes: Buffer, length: number) => void;
}

/** Opens a connection that reuses its read buffer, instead of a new 64 KiB buffer per read. */
export function openSocket(options: OpenSocketOptions): Socket {
  const socket = options.origin.isSecure ? openSecure(options) : openPlain(options);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, PROBE_AFTER_MS);
  return socket;
}

function openPlain({ origin: { host, port }, onRead }: OpenSocketOptions): Socket {
  return connectPlain({ host, port, onread: readInto(shared, onRead) });
}

function openSecure({ origin, ca, session, onRead }: OpenSocketOptions): Socket {
  const { host, port, serverName } = origin;
  // https://nodejs.org/api/tls.html#tlsconnectoptions-callback documents `onread`, the types lack it.
  const options: ConnectionOptions & { onread: OnReadOpts } = {
    host,
    port,
    onread: readInto(Buffer.allocUnsafeSlow(RECORD_BYTES), onRead),
    ALPNProtocols: ['http/1.1'],
    ...(serverName === null ? {} : { servername: serverName }),
    ...(ca === null ? {} : { ca: [...ca] }),
    ...(session === null ? {} : { session }),
  };
  return connectSecure(options);
}

function readInto(buffer: Buffer, onRead: OpenSocketOptions['onRead']): OnReadOpts {
  return {
    buffer,
    callback(length) {
      onRead(buffer, length);
      // To stop reading, callers pause the socket.
      return true;
    },
  };
}
