import type { Socket } from 'node:net';

/** How long a caller that is still sending has to read the response. */
const LINGER_MS = 1_000;

/**
 * Closes a connection whose caller may still be sending. Closing it immediately would reset it, and a reset can discard a
 * response that the caller has not read yet. Nothing more is received meanwhile.
 */
export function closeLingering(socket: Socket): void {
  socket.pause();
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
