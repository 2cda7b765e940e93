import type { Socket } from 'node:net';

/** The current connection of a client. */
export interface ConnectionUse {
  isOpen: boolean;
  /** The proxy that it waits for, without its credential; null: it reached the provider, or has no proxy. */
  awaitedProxy: string | null;
  /** Number of requests that were begun on it. */
  requests: number;
  /** The socket of an HTTP/1.1 connection; null: HTTP/2, or none. */
  http1: Socket | null;
}
