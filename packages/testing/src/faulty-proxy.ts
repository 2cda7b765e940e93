import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy to a database that simulates connection failures. */
export interface FaultyProxy extends AsyncDisposable {
  url: string;
  /** Stops listening and resets all connections. */
  cut(): void;
  /** Accepts and keeps connections without forwarding data, like a firewall or a frozen machine. */
  stall(): void;
  /** Forwards the next query but closes the connection instead of returning the result. Then works again. */
  loseNextAnswer(): void;
  /** Works again for new connections. */
  mend(): void;
}

type Mode = 'open' | 'cut' | 'stalled' | 'loses answer';

export async function createFaultyProxy(databaseUrl: string): Promise<FaultyProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<readonly [Socket, Socket]>();
  let mode: Mode = 'open';
  const destroyAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  const server = createServer((client) => {
    if (mode === 'cut') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    const end = () => {
      for (const socket of pair) socket.destroy();
      pairs.delete(pair);
    };
    client.on('data', (bytes: Buffer) => {
      if (mode !== 'stalled') upstream.write(bytes);
    });
    upstream.on('data', (bytes: Buffer) => {
      if (mode === 'loses answer') {
        mode = 'open';
        end();
      } else if (mode !== 'stalled') client.write(bytes);
    });
    for (const socket of pair) socket.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut: () => {
      mode = 'cut';
      destroyAll();
    },
    stall: () => void (mode = 'stalled'),
    loseNextAnswer: () => void (mode = 'loses answer'),
    mend: () => {
      // Stalled connections have lost bytes and cannot continue.
      if (mode === 'stalled') destroyAll();
      mode = 'open';
    },
    async [Symbol.asyncDispose]() {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
