import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { isSameFolder } from './embedded-join.ts';

/**
 * The port of the last server of a cluster. Clients of a server that was killed find the next one there.
 * @returns null if it is not known, or not free, or the cluster was copied: the clients of the original use that port
 */
export async function findLastPort(cluster: string): Promise<number | null> {
  const port = readLastPort(cluster);
  return port !== null && (await isFree(port)) ? port : null;
}

/** `postmaster.opts` is the command line of the last start, with each argument in quotes. */
function readLastPort(cluster: string): number | null {
  try {
    const line = readFileSync(path.join(cluster, 'postmaster.opts'), 'utf8');
    const [, folder = ''] = /"-D" "([^"]*)"/.exec(line) ?? [];
    const [, port = ''] = /"-p" "(\d+)"/.exec(line) ?? [];
    return port !== '' && isSameFolder(folder, cluster) ? Number(port) : null;
  } catch {
    return null;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
