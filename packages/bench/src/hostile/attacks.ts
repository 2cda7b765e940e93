import { Buffer } from 'node:buffer';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { repeatRequest, type Target } from './repeat-request.ts';

const MIB = 1024 * 1024;
/** A socket that is not read does not notice that the server has closed it. */
const UNREAD_MS = 5_000;
const CHAT = '/v1/chat/completions';

const chat = (content: string, model = 'bench-model') =>
  JSON.stringify({ model, max_tokens: 16, messages: [{ role: 'user', content }] });

/** What one key does to keep a gateway from serving others. Each goes on until its process ends. */
export const ATTACKS = {
  'withheld bodies': (target) => withholdBodies(target, 80),
  '30 MB of brackets': (target) => repeatRequest(target, 4, { body: '['.repeat(30 * MIB) }),
  'a million members': (target) =>
    repeatRequest(target, 4, {
      body: `{${Array.from({ length: 1_000_000 }, (_, at) => `"m${at}":1`).join(',')}}`,
    }),
  'unknown members': (target) =>
    repeatRequest(target, 8, {
      body: JSON.stringify({
        ...Object.fromEntries(Array.from({ length: 8_000 }, (_, at) => [`m${at}`, 1])),
        model: 'bench-model',
        max_tokens: 16,
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    }),
  '30 MB valid bodies': (target) => repeatRequest(target, 4, { body: chat('word '.repeat(6 * MIB)) }),
  '30 MB in many messages': (target) =>
    repeatRequest(target, 4, {
      body: JSON.stringify({
        model: 'bench-model',
        max_tokens: 16,
        messages: Array.from({ length: 30_000 }, () => ({ role: 'user', content: 'a line\n'.repeat(110) })),
      }),
    }),
  'malformed UTF-8': (target) => repeatRequest(target, 8, { body: Buffer.alloc(4 * MIB, 0xff) }),
  'translated bodies of 4 MB': (target) =>
    repeatRequest(target, 8, { body: chat('word '.repeat(800_000), 'bench-translated') }),
  'token counts of 1 MB': (target) =>
    repeatRequest(target, 8, { body: chat('word '.repeat(200_000)), path: '/v1/messages/count_tokens' }),
  'ids with many marks': (target) =>
    repeatRequest(target, 8, {
      body: JSON.stringify({
        model: 'bench-model',
        input: [{ type: 'item_reference', id: '--item1-a-'.repeat(12_000) }],
      }),
      path: '/v1/responses',
    }),
  'rejected requests': (target) => repeatRequest(target, 32, { body: chat('Hi', 'no-such-model') }),
  'unknown long keys': (target) =>
    repeatRequest({ ...target, secret: `sk-${'x'.repeat(14_000)}` }, 32, { body: chat('Hi') }),
  'long headers': (target) => repeatRequest(target, 32, { body: chat('Hi'), padding: 'x'.repeat(15_000) }),
  'slow readers': (target) => openUnreadStreams(target, 200),
} satisfies Record<string, (target: Target) => Promise<void>>;

export type AttackName = keyof typeof ATTACKS;

export const isAttack = (name: string): name is AttackName => Object.hasOwn(ATTACKS, name);

/** Connections that send all of a body but its last MiB, again and again. */
async function withholdBodies(target: Target, connections: number): Promise<void> {
  const piece = Buffer.alloc(MIB, 0x20);
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (;;) {
        await holdOpen(target, `content-length: ${32 * MIB}`, async (write) => {
          for (let sent = 0; sent < 31; sent += 1) await write(piece);
        });
        await sleep(100);
      }
    }),
  );
}

/** Streams whose responses are never read. */
async function openUnreadStreams(target: Target, connections: number): Promise<void> {
  const body = Buffer.from(
    JSON.stringify({ model: 'bench-stream', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
  );
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (;;) {
        await holdOpen(target, `content-length: ${body.length}`, (write) => write(body));
        await sleep(100);
      }
    }),
  );
}

/** Sends a request on a socket that reads nothing. @returns when the connection is closed, or after a time */
function holdOpen(
  { origin, secret }: Target,
  length: string,
  send: (write: (bytes: Buffer) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.pause();
    const timer = setTimeout(() => socket.destroy(), UNREAD_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.on('error', () => socket.destroy());
    const write = (bytes: Buffer) =>
      new Promise<void>((written) => void socket.write(bytes, () => written()));
    socket.once('connect', () => {
      socket.write(
        `POST ${CHAT} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${secret}\r\n` +
          `content-type: application/json\r\n${length}\r\n\r\n`,
      );
      void send(write);
    });
  });
}
