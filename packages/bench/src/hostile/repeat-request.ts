import type { Buffer } from 'node:buffer';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whom an attack is for, and the key it uses. */
export interface Target {
  /** `http://127.0.0.1:8787` */
  origin: string;
  secret: string;
}

interface Repeated {
  body: string | Buffer;
  path?: string;
  /** The value of a header without meaning. */
  padding?: string;
}

/** Sends the same request on so many connections, each as soon as the one before is answered. */
export async function repeatRequest(target: Target, connections: number, repeated: Repeated): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (;;) if (!(await sendOnce(target, agent, repeated))) await sleep(10);
    }),
  );
}

/** @returns false if the connection was closed before an answer came */
function sendOnce(
  { origin, secret }: Target,
  agent: Agent,
  { body, path = '/v1/chat/completions', padding = '' }: Repeated,
): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(`${origin}${path}`, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'content-length': typeof body === 'string' ? body.length : body.byteLength,
        ...(padding === '' ? {} : { 'x-padding': padding }),
      },
    });
    call.on('error', () => resolve(false));
    call.on('response', (response) => {
      response.on('error', () => resolve(false));
      response.on('end', () => resolve(true));
      response.resume();
    });
    call.end(body);
  });
}
