import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TESTED_ENDPOINTS } from '../../tested-endpoints.ts';
import { ask, type Answer } from './ask.ts';
import type { ApiFleet } from './api-fleet.ts';
import type { Payer } from './scene.ts';

export interface LoadOptions {
  fleet: ApiFleet;
  agent: Agent;
  payers: readonly Payer[];
  model: string;
  /** Number of concurrent clients. */
  clients: number;
  /** Names the load in its markers. */
  name: string;
  /** null: the model decides. */
  maxTokens: number | null;
  /** True: a client retries until it has a response or a 402; else it sends one request. */
  honoursRetryAfter: boolean;
  /** Called with each response as it ends. */
  onAnswer?: (answer: Answer, payer: Payer) => void;
}

/** Retry interval of a client whose api process is dead. */
const UNREACHED_MS = 150;
/** Clients retry a little later than asked, each after a different time, as SDKs do. */
const SPREAD_MS = 300;
const GIVE_UP_AFTER_MS = 90_000;

/** @returns every response to every client, including those to repeated tries */
export async function runLoad(options: LoadOptions): Promise<Answer[]> {
  const clients = Array.from({ length: options.clients }, (_, index) => runClient(options, index));
  return (await Promise.all(clients)).flat();
}

async function runClient(options: LoadOptions, index: number): Promise<Answer[]> {
  const { fleet, agent, payers, model, name, maxTokens } = options;
  const endpoint = TESTED_ENDPOINTS[index % TESTED_ENDPOINTS.length];
  const payer = payers[index % payers.length];
  if (endpoint === undefined || payer === undefined) throw new Error('A load needs a payer');
  const deadlineMs = performance.now() + GIVE_UP_AFTER_MS;
  const answers: Answer[] = [];
  for (let attempt = 0; ; attempt++) {
    const api = fleet.apis[(index + attempt) % fleet.apis.length];
    if (api === undefined) throw new Error('A load needs a running api');
    // Padded, so that all prompts of a load have the same length and the same worst case.
    const marker = `${name}-${String(index).padStart(5, '0')}-${String(attempt).padStart(3, '0')}`;
    const answer = await ask(
      {
        baseUrl: api.baseUrl,
        secret: payer.secret,
        endpoint,
        model,
        marker,
        stream: Math.floor(index / TESTED_ENDPOINTS.length) % 2 === 0,
        maxTokens,
      },
      agent,
    );
    answers.push(answer);
    options.onAnswer?.(answer, payer);
    const waitMs = options.honoursRetryAfter ? waitAfter(answer) : null;
    if (waitMs === null || performance.now() > deadlineMs) return answers;
    await sleep(waitMs);
  }
}

/** @returns null if the client is done: it has its response, or will never get one */
function waitAfter({ ending, status, retryAfterSeconds }: Answer): number | null {
  if (ending === 'unreached' || ending === 'closed' || (ending === 'broken' && status === null))
    return UNREACHED_MS;
  if (retryAfterSeconds === null || (status !== 429 && status !== 503)) return null;
  return retryAfterSeconds * 1_000 + Math.random() * SPREAD_MS;
}
