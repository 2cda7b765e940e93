import { Buffer } from 'node:buffer';
import { connect as connectPlain, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectSecure, type ConnectionOptions } from 'node:tls';
import type { Origin } from './origin.ts';

const SHARED_BYTES = 64 * 1024;
/** The most that one TLS record holds: https://www.rfc-editor.org/rfc/rfc8446#section-5.1 */
const RECORD_BYTES = 16 * 1024;
/** A silent connection is probed, so that one whose other end has vanished is found before it is used. */
const PROBE_AFTER_MS = 30_000;

/**
 * All plain connections read into the same memory: reads come one after the other from the event loop, and each is taken
 * before the next. TLS may decrypt while something is being written, so that each secure connection has memory of its own.
 */
const shared = Buffer.allocUnsafeSlow(SHARED_BYTES);

export interface OpenSocketOptions {
  origin: Origin;
  /** PEM certificates to trust in place of Node's own. */
  ca: readonly string[] | null;
  /** Of an earlier connection to the same origin. */
  session: Buffer | null;
  /** Takes what was read before it returns: the memory is used again. */
  onRead: (bytes: Buffer, length: number) => void;
}

/** Opens a connection; Node reads into the same memory again and again, instead of 64 KiB made for each read. */
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
  // https://nodejs.org/api/tls.html#tlsconnectoptions-callback has `onread`, the types have not.
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
      // Whoever wants no more pauses the socket.
      return true;
    },
  };
}
