import type { Socket } from 'node:net';
import { startRawServer, type RawRequest } from '@tollgate/upstreams/transport/http1/raw-server.fixture';
import type { Call } from './cell.ts';
import type { Trial } from './trial.ts';
import { createPlan } from './plan.ts';
import { FIRST, SECOND } from './said.ts';
import { sendPlan } from './send-plan.ts';

/** The providers of all trials: the one with the fault and the second one of each. */
export interface FaultyProvider extends AsyncDisposable {
  origin: string;
  /** Connections whose response has not ended. */
  readonly unfinished: ReadonlySet<Socket>;
  /** How often the first and the second provider of a trial were called. */
  countCalls(trial: Trial): { first: number; second: number };
}

const PATH = /^POST \/(first|second)\/([^/ ]+)\//;

export async function startFaultyProvider(trials: readonly Trial[]): Promise<FaultyProvider> {
  const byId = new Map(trials.map((trial) => [trial.id, trial]));
  const counts = new Map<string, number>();
  const unfinished = new Set<Socket>();
  const answer = async ({ head, socket, index }: RawRequest) => {
    const [, which = '', id = ''] = PATH.exec(head) ?? [];
    const trial = byId.get(id);
    if (trial === undefined) throw new Error(`No trial has the request ${head.slice(0, 80)}`);
    unfinished.add(socket);
    socket.once('close', () => unfinished.delete(socket));
    const earlier = counts.get(`${which} ${id}`) ?? 0;
    counts.set(`${which} ${id}`, earlier + 1);
    const plan = which === 'second' ? getSecond(trial) : getFirst(trial, { ...trial.cell, earlier, index });
    if (plan === null) return;
    await sendPlan(socket, plan);
    if (plan.end === 'whole') unfinished.delete(socket);
  };
  // An error of the tables must fail the run.
  const server = await startRawServer((request) => void answer(request));
  return {
    origin: server.origin,
    unfinished,
    countCalls: ({ id }) => ({
      first: counts.get(`first ${id}`) ?? 0,
      second: counts.get(`second ${id}`) ?? 0,
    }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function getFirst({ fault }: Trial, call: Call) {
  const plan = createPlan(call, fault.said ?? FIRST);
  if (typeof fault.provoke === 'string') throw new Error(`${fault.name} has no server`);
  return fault.isWarmed === true && call.earlier === 0 ? plan : fault.provoke(plan, call);
}

function getSecond({ cell, secondDialect }: Trial) {
  return createPlan({ dialect: secondDialect, isStream: cell.isStream }, SECOND);
}
