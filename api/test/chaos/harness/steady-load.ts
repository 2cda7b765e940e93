import { Agent } from 'node:http';
import { TESTED_ENDPOINTS } from '../../tested-endpoints.ts';
import { ask, type Answer } from './ask.ts';
import type { Payer } from './scene.ts';

export interface SteadyLoadOptions {
  /** Ends with `/v1`. */
  baseUrl: string;
  payers: readonly Payer[];
  model: string;
  /** Clients that send one request after another, each on its own connection. */
  clients: number;
  /** False: each request has a new connection. */
  keepsAlive: boolean;
  /** Names the load in its markers. */
  name: string;
}

export interface SteadyLoad {
  answers: readonly Answer[];
  /** Waits for the requests in progress. @returns every answer */
  stop(): Promise<readonly Answer[]>;
}

/** Clients that go on, whatever happens to their requests, until they are stopped. */
export function startSteadyLoad(options: SteadyLoadOptions): SteadyLoad {
  const answers: Answer[] = [];
  const stopping = new AbortController();
  const run = async (index: number) => {
    const agent = new Agent({ keepAlive: options.keepsAlive, maxSockets: 1 });
    const endpoint = TESTED_ENDPOINTS[index % TESTED_ENDPOINTS.length];
    const payer = options.payers[index % options.payers.length];
    if (endpoint === undefined || payer === undefined) throw new Error('A load needs a payer');
    const { baseUrl, model, name } = options;
    for (let count = 0; !stopping.signal.aborted; count++) {
      const marker = `${name}-${String(index).padStart(3, '0')}-${String(count).padStart(5, '0')}`;
      const stream = count % 2 === 0;
      const { secret } = payer;
      answers.push(await ask({ baseUrl, secret, endpoint, model, marker, stream, maxTokens: 500 }, agent));
    }
    agent.destroy();
  };
  const runs = Promise.all(Array.from({ length: options.clients }, (_, index) => run(index)));
  return {
    answers,
    stop: async () => {
      stopping.abort();
      await runs;
      return answers;
    },
  };
}
