import type { Server } from 'node:net';

/** Starts to listen. @throws Error that names the port and its setting if the port is taken */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message = `Port ${port} of ${host} is already in use: stop the process on it, or set API_PORT to another port`;
      reject(error.code === 'EADDRINUSE' ? new Error(message, { cause: error }) : error);
    });
    server.listen(port, host, () => resolve());
  });
}
