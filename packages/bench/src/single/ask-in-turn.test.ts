import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { askInTurn, findAnswerEnd } from './ask-in-turn.ts';

it('knows the end of an answer with a length and of a chunked one', () => {
  const head = 'HTTP/1.1 200 OK\r\n';
  expect(findAnswerEnd(`${head}content-length: 2\r\n\r\n{`)).toBe('part');
  expect(findAnswerEnd(`${head}content-length: 2\r\n\r\n{}`)).toBe('whole');
  expect(findAnswerEnd(`${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`)).toBe('part');
  expect(findAnswerEnd(`${head}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)).toBe('whole');
  expect(findAnswerEnd('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n')).toBe('broken');
});

it('waits for each answer before the next request, on one connection', async () => {
  let open = 0;
  let most = 0;
  let connections = 0;
  const server = createServer((request, response) => {
    most = Math.max(most, ++open);
    request.resume();
    request.on('end', () => setTimeout(() => response.end('{}', () => (open -= 1)), 3));
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const url = new URL(`http://127.0.0.1:${port}/v1/chat/completions`);
  const times = await askInTurn({ url, headers: {}, requests: 5, signal: new AbortController().signal });
  server.close();
  expect(times).toHaveLength(5);
  expect(Math.min(...times)).toBeGreaterThan(2);
  expect({ most, connections }).toEqual({ most: 1, connections: 1 });
});
