import { createServer } from 'node:net';

export type PortState =
  | { ok: true }
  | { ok: false; reason: 'taken' }
  | { ok: false; reason: 'unusable'; detail: string };

/** Finds out by listening there for a moment. */
export function isPortFree(host: string, port: number): Promise<PortState> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve({ ok: false, reason: 'taken' });
      else resolve({ ok: false, reason: 'unusable', detail: error.code ?? error.message });
    });
    // Alone, or a cluster elsewhere could share the port and this would look free.
    probe.listen({ host, port, exclusive: true }, () => {
      probe.close(() => resolve({ ok: true }));
    });
  });
}
