import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { expect, it, vi } from 'vitest';
import { streamTable } from './stream-table.ts';
import { tableText, type Cell } from './table-text.ts';

const text = () => tableText('csv', ['n']);

async function* count(to: number): AsyncGenerator<Cell[][]> {
  for (let n = 1; n <= to; n++) yield [[n]];
}

/** Serves one stream over real HTTP. */
async function serve(stream: () => ReadableStream<Uint8Array>) {
  const respond = getRequestListener(() => new Response(stream()));
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

it('sends every row and then says that it is over', async () => {
  const onEnd = vi.fn<() => void>();
  await using site = await serve(() => streamTable(text(), count(3), onEnd));
  expect(await (await fetch(site.url)).text()).toBe('n\r\n1\r\n2\r\n3\r\n');
  expect(onEnd).toHaveBeenCalledTimes(1);
});

it('disconnects if its rows fail, so that no client treats a part as the whole', async () => {
  const onEnd = vi.fn<() => void>();
  async function* failing(): AsyncGenerator<Cell[][]> {
    yield [[1]];
    throw new Error('the connection was lost');
  }
  await using site = await serve(() => streamTable(text(), failing(), onEnd));
  const read = fetch(site.url).then(async (response) => response.text());
  await expect(read).rejects.toThrow('terminated');
  expect(onEnd).toHaveBeenCalledTimes(1);
});

it('requests no more rows after its reader has disconnected', async () => {
  const ended = Promise.withResolvers<void>();
  let asked = 0;
  async function* endless(): AsyncGenerator<Cell[][]> {
    for (;;) {
      asked += 1;
      yield [['x'.repeat(100_000)]];
    }
  }
  await using site = await serve(() => streamTable(text(), endless(), ended.resolve));
  const controller = new AbortController();
  const response = await fetch(site.url, { signal: controller.signal });
  await response.body?.getReader().read();
  controller.abort();
  await ended.promise;
  const before = asked;
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  expect(asked).toBeLessThanOrEqual(before + 1);
});

it('ends once if its reader disconnects while rows are pending', async () => {
  const onEnd = vi.fn<() => void>();
  const rows = Promise.withResolvers<Cell[][]>();
  async function* slow(): AsyncGenerator<Cell[][]> {
    yield await rows.promise;
  }
  const reader = streamTable(text(), slow(), onEnd).getReader();
  await reader.read();
  const left = reader.cancel();
  rows.resolve([[1]]);
  await left;
  expect(onEnd).toHaveBeenCalledTimes(1);
});
