/** What the product promises of its speed; the ratios hold on any machine, the absolute figures do not. */
const TARGETS = {
  overPortkey: 8,
  overNginx: 0.17,
  addedP99Ms: 10,
  memoryMb: 400,
  translatedOverRelayed: 0.5,
  addedFirstByteP99Ms: 5,
} as const;

export interface Figures {
  /** Requests per second of the gateway over those of the other, the median of the rounds. */
  overPortkey: number;
  overNginx: number;
  addedP99Ms: number;
  /** Chunks translated over chunks relayed in the same processor time. */
  translatedOverRelayed: number;
  /** What a translating gateway adds to the first text of an answer. */
  addedFirstByteP99Ms: number;
  /** The gateway's resident memory at most while it streamed. */
  memoryMb: number;
  /** Chunks that did not arrive, were out of order, or whose stream did not end well. */
  chunksLost: number;
  /** Requests that the clients saw answered. */
  answered: number;
  /** Requests in the usage tables; those that wrk gave up at the end of a round come on top. */
  recorded: number;
}

export interface Verdict {
  ok: boolean;
  /** Holds on a slow or shared machine too, so that even a quick run fails without it. */
  isCorrectness: boolean;
  /** One line that a reader understands by itself. */
  text: string;
}

/** Holds the figures against the targets. A figure that was not measured fails. */
export function judge(figures: Figures): Verdict[] {
  const { overPortkey, overNginx, addedP99Ms, memoryMb, chunksLost, answered, recorded } = figures;
  const { translatedOverRelayed, addedFirstByteP99Ms } = figures;
  return [
    judgeSpeed(
      overPortkey >= TARGETS.overPortkey,
      `${overPortkey.toFixed(1)} × Portkey`,
      `≥ ${TARGETS.overPortkey} ×`,
    ),
    judgeSpeed(overNginx >= TARGETS.overNginx, `${overNginx.toFixed(3)} × nginx`, `≥ ${TARGETS.overNginx} ×`),
    judgeSpeed(
      addedP99Ms <= TARGETS.addedP99Ms,
      `${addedP99Ms.toFixed(1)} ms added to a chunk at p99`,
      `≤ ${TARGETS.addedP99Ms} ms`,
    ),
    judgeSpeed(
      memoryMb < TARGETS.memoryMb,
      `${memoryMb.toFixed(0)} MB of memory while streaming`,
      `< ${TARGETS.memoryMb} MB`,
    ),
    judgeSpeed(
      translatedOverRelayed >= TARGETS.translatedOverRelayed,
      `${translatedOverRelayed.toFixed(2)} chunks translated for each one relayed in the same processor time`,
      `≥ ${TARGETS.translatedOverRelayed}`,
    ),
    judgeSpeed(
      addedFirstByteP99Ms <= TARGETS.addedFirstByteP99Ms,
      `${addedFirstByteP99Ms.toFixed(1)} ms added to the first text at p99`,
      `≤ ${TARGETS.addedFirstByteP99Ms} ms`,
    ),
    judgeCorrectness(chunksLost === 0, `${chunksLost} chunks lost`, '0'),
    judgeCorrectness(recorded >= answered, `${recorded} requests recorded of ${answered} answered`, 'all'),
  ];
}

/** True where nothing failed; of a quick run, where nothing but speed did. */
export function isPassed(verdicts: readonly Verdict[], quick: boolean): boolean {
  return verdicts.every((verdict) => verdict.ok || (quick && !verdict.isCorrectness));
}

function judgeSpeed(ok: boolean, seen: string, target: string): Verdict {
  return { ok, isCorrectness: false, text: describe(ok, seen, target) };
}

function judgeCorrectness(ok: boolean, seen: string, target: string): Verdict {
  return { ok, isCorrectness: true, text: describe(ok, seen, target) };
}

function describe(ok: boolean, seen: string, target: string): string {
  return `${ok ? 'PASS' : 'FAIL'}  ${seen} (target ${target})`;
}
