import type { Logger } from 'pino';
import type { InFlight } from './pipeline/in-flight.ts';
import type { OpenSockets } from './websocket/open-sockets.ts';

/** A silent stream gets a ping at the second tick, so within 15 s even if it went silent just after a tick. */
const TICK_MS = 5_000;
/** Interval at which streams are checked for due checkpoints. */
const CHECKPOINT_LOOK_MS = 250;
const PARTITION_CHECK_MS = 6 * 60 * 60 * 1000;

export interface TimedParts {
  inFlight: InFlight;
  sockets: OpenSockets;
  ensurePartitions: () => Promise<void>;
  log: Logger;
  /** Interval of the in-flight sweep; undefined: the usual one. */
  tickMs: number | undefined;
}

/** Starts the timers of the api. @returns a function that stops them */
export function startTimers({ inFlight, sockets, ensurePartitions, log, tickMs }: TimedParts): () => void {
  const tick = () => {
    inFlight.tick();
    sockets.tick();
  };
  const partition = () => {
    ensurePartitions().catch((error: unknown) => log.error({ err: error }, 'partitions not created'));
  };
  const timers = [
    setInterval(partition, PARTITION_CHECK_MS),
    setInterval(() => inFlight.checkpoint(), CHECKPOINT_LOOK_MS),
    setInterval(tick, tickMs ?? TICK_MS),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
