/** The process of the provider that answers at once. It sends its port. */
import { createServer } from 'node:net';
import { ANSWER_BODY, encodeAnswer } from './completion.ts';
import { RequestReader } from './request-reader.ts';
import { encodeSseAnswer } from './sse-answer.ts';

/** About as many as the body has tokens. */
const BYTES_PER_TOKEN = 4;
/** Below the context of the benchmark's models: no answer can report more. */
const MOST_TOKENS = 120_000;

const SMALL_BODY_BYTES = 1_000;
/** By the size of the request's body; a run has few sizes. */
const jsonAnswers = new Map<number, Buffer>();
const SSE_ANSWER = Buffer.from(encodeSseAnswer());

const server = createServer({ noDelay: true }, (socket) => {
  const reader = new RequestReader(
    (path, bytes) => void socket.write(path.startsWith('/sse/') ? SSE_ANSWER : findJsonAnswer(bytes)),
  );
  socket.on('data', (bytes: Buffer) => reader.push(bytes));
  socket.on('error', () => undefined);
});
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') process.send?.(address.port);
});

function findJsonAnswer(bytes: number): Buffer {
  let answer = jsonAnswers.get(bytes);
  if (answer === undefined) {
    const body =
      bytes < SMALL_BODY_BYTES
        ? ANSWER_BODY
        : encodeAnswer(Math.min(MOST_TOKENS, Math.ceil(bytes / BYTES_PER_TOKEN)));
    const length = Buffer.byteLength(body);
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
    answer = Buffer.from(head + body);
    jsonAnswers.set(bytes, answer);
  }
  return answer;
}
