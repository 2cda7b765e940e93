import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a database on which everything can happen that happens to connections. */
export interface TroubledProxy extends AsyncDisposable {
  url: string;
  /** Nothing listens any more, and what was connected is reset. */
  cut(): void;
  /** Connections stay and come about, and nothing passes: a firewall, a frozen machine. */
  stall(): void;
  /** What is asked next arrives; instead of the answer, the connection ends. Then all is well again. */
  loseNextAnswer(): void;
  /** All is well again, for new connections. */
  mend(): void;
}

type Mode = 'open' | 'cut' | 'stalled' | 'loses answer';

export async function createTroubledProxy(databaseUrl: string): Promise<TroubledProxy> {
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
      // What was stalled has lost bytes: it cannot go on.
      if (mode === 'stalled') destroyAll();
      mode = 'open';
    },
    async [Symbol.asyncDispose]() {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
