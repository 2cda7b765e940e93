import { createServer } from 'node:net';

export type PortState =
  | { ok: true }
  | { ok: false; reason: 'taken' }
  | { ok: false; reason: 'unusable'; detail: string };

/** Checks a port by listening on it briefly. */
export function isPortFree(host: string, port: number): Promise<PortState> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve({ ok: false, reason: 'taken' });
      else resolve({ ok: false, reason: 'unusable', detail: error.code ?? error.message });
    });
    // Exclusive, because a port shared by a cluster would look free otherwise.
    probe.listen({ host, port, exclusive: true }, () => {
      probe.close(() => resolve({ ok: true }));
    });
  });
}
