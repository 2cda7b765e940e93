import { once } from 'node:events';
import { WebSocket, type ClientOptions } from 'ws';

/** A server event, with the members that tests read. */
export interface SocketEvent {
  type: string;
  stream_id?: string;
  status?: number;
  delta?: string;
  error?: { type: string; code: string; message: string; param: string | null };
  headers?: Record<string, string>;
  response?: {
    id: string;
    status: string;
    previous_response_id: string | null;
    output: { type: string; call_id?: string; content?: { text: string }[] }[];
  };
}

/** A WebSocket of the Responses API, opened with the `ws` client. */
export interface SocketClient extends AsyncDisposable {
  webSocket: WebSocket;
  /** Every event so far. */
  events: SocketEvent[];
  closed: Promise<{ code: number; reason: string }>;
  /** Sends `response.create`. */
  create(members: Record<string, unknown>): void;
  /** The next event that was not returned yet and fits. @throws Error if the connection closes first */
  next(fits: (event: SocketEvent) => boolean): Promise<SocketEvent>;
  /** Sends `response.create` and waits for its last event. */
  ask(members: Record<string, unknown>): Promise<SocketEvent>;
}

const LAST = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error']);
const isLast = ({ type }: SocketEvent) => LAST.has(type);

/** @param baseUrl of the api, with `/v1`. @throws Error if the handshake is refused */
export async function openSocket(
  baseUrl: string,
  secret: string,
  options: ClientOptions = {},
): Promise<SocketClient> {
  const url = `${baseUrl.replace(/^http/, 'ws')}/responses`;
  const headers = { authorization: `Bearer ${secret}`, ...options.headers };
  const webSocket = new WebSocket(url, { perMessageDeflate: false, ...options, headers });
  const events: SocketEvent[] = [];
  const returned = new Set<SocketEvent>();
  const waiting = new Set<() => void>();
  const notify = () => {
    for (const look of waiting) look();
  };
  const ended = Promise.withResolvers<{ code: number; reason: string }>();
  let isClosed = false;
  webSocket.on('message', (data: Buffer) => {
    const event = JSON.parse(data.toString()) as SocketEvent;
    events.push(event);
    notify();
  });
  webSocket.on('error', () => undefined);
  webSocket.on('close', (code, reason) => {
    isClosed = true;
    ended.resolve({ code, reason: reason.toString() });
    notify();
  });
  const [opened] = (await Promise.race([once(webSocket, 'open'), once(webSocket, 'close')])) as [unknown];
  if (opened !== undefined) throw new Error('The handshake was refused');
  const next: SocketClient['next'] = (fits) =>
    new Promise((resolve, reject) => {
      // What did not fit is not looked at again.
      let at = 0;
      const look = () => {
        for (; at < events.length; at += 1) {
          const event = events[at];
          if (event === undefined || returned.has(event) || !fits(event)) continue;
          returned.add(event);
          waiting.delete(look);
          resolve(event);
          return;
        }
        if (!isClosed) return;
        waiting.delete(look);
        reject(new Error(`closed, after ${JSON.stringify(events.slice(-5))}`));
      };
      waiting.add(look);
      look();
    });
  const create: SocketClient['create'] = (members) =>
    webSocket.send(JSON.stringify({ type: 'response.create', ...members }));
  return {
    webSocket,
    events,
    closed: ended.promise,
    create,
    next,
    ask(members) {
      create(members);
      const id = members['stream_id'];
      return next((event) => isLast(event) && event.stream_id === id);
    },
    async [Symbol.asyncDispose]() {
      webSocket.terminate();
      await ended.promise;
    },
  };
}

/** The text of a response. */
export function readText({ response }: SocketEvent): string {
  return (response?.output ?? []).flatMap(({ content = [] }) => content.map(({ text }) => text)).join('');
}
