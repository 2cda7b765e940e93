import { connect, createServer, type AddressInfo } from 'node:net';

/** A database proxy on which the LISTEN connection can go silent without being closed. */
export interface HalfOpenProxy extends AsyncDisposable {
  url: string;
  /** Blocks connections that have sent LISTEN; the others keep working. */
  silenceListeners(): void;
}

/**
 * A TCP proxy in front of a database. Simulates what a firewall or failover does to an idle connection: no error on either
 * side, and no bytes.
 */
export async function createHalfOpenProxy(databaseUrl: string): Promise<HalfOpenProxy> {
  const target = new URL(databaseUrl);
  const ends = new Set<() => void>();
  let isSilent = false;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    let isListener = false;
    client.on('data', (bytes: Buffer) => {
      isListener ||= /\blisten\b/i.test(bytes.toString('latin1'));
      if (!(isSilent && isListener)) upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (!(isSilent && isListener)) client.write(bytes);
    });
    const end = () => {
      client.destroy();
      upstream.destroy();
      ends.delete(end);
    };
    ends.add(end);
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silenceListeners: () => void (isSilent = true),
    async [Symbol.asyncDispose]() {
      for (const end of ends) end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
