import { computeBusyShare, readCore } from '../host/background-load.ts';
import { readTreeCpuSeconds } from '../host/process-tree.ts';
import { readCpuSeconds, readMemoryMb } from '../host/process-usage.ts';
import { medianRatio } from '../statistics.ts';
import { checkAnswer } from '../subjects/completion.ts';
import type { Harness, Subject } from '../subjects/subject.ts';
import { runWrk, type WrkLoad, type WrkResult } from './wrk.ts';

interface Round extends WrkResult {
  /** Share of its core that the subject used; well under 1, something else was the bottleneck. */
  cpuShare: number;
  /** Processor time for each request, in microseconds: of the subject and its children, and of its workers. */
  ownUs: number;
  workersUs: number;
  /** Share of the subject's core that other programs used in the round. */
  othersShare: number;
}

export interface SubjectRounds {
  name: string;
  rounds: Round[];
  /** Answered in all, the warm-up and the first check included. */
  answered: number;
  memoryMb: { before: number; after: number };
}

export interface RoundsOptions extends WrkLoad {
  rounds: number;
  /** One run before the first round, so that compilers have done their work. */
  warmupSeconds: number;
  onProgress: (line: string) => void;
}

interface Running {
  subject: Subject;
  workers: readonly number[];
  result: SubjectRounds;
}

/**
 * Measures the subjects in turns, A B C, then B C A, …: whatever else the machine does meets all of them alike.
 */
export async function measureThroughput(
  harness: Harness,
  subjects: readonly Subject[],
  options: RoundsOptions,
): Promise<SubjectRounds[]> {
  const all: Running[] = [];
  for (const subject of subjects) all.push(await warmUp(harness, subject, options));
  for (let round = 0; round < options.rounds; round++) {
    const turns = all.map((_, turn) => all[(round + turn) % all.length]);
    for (const running of turns) {
      if (running === undefined) continue;
      const { subject, result } = running;
      const measured = await measureRound(harness, running, options);
      result.rounds.push(measured);
      result.answered += measured.requests;
      result.memoryMb.after = readMemoryMb(subject.pid).now;
      options.onProgress(
        `round ${round + 1}/${options.rounds}  ${subject.name}  ${Math.round(measured.requestsPerSecond)} req/s`,
      );
    }
  }
  return all.map(({ result }) => result);
}

/** Workers are known once they have something to do. */
async function warmUp(harness: Harness, subject: Subject, options: RoundsOptions): Promise<Running> {
  await checkAnswer(subject.name, subject.baseUrl, subject.headers, options.body);
  options.onProgress(`warming up ${subject.name}`);
  const warmup = await runWrk(harness, subject, {
    ...options,
    seconds: options.warmupSeconds,
    mayBeUnanswered: true,
  });
  const before = readMemoryMb(subject.pid).now;
  return {
    subject,
    workers: (await subject.findWorkers?.()) ?? [],
    result: {
      name: subject.name,
      rounds: [],
      answered: warmup.requests + 1,
      memoryMb: { before, after: before },
    },
  };
}

async function measureRound(harness: Harness, { subject, workers }: Running, load: WrkLoad): Promise<Round> {
  const readWorkers = () => workers.reduce((sum, pid) => sum + readCpuSeconds(pid), 0);
  const ownBefore = readTreeCpuSeconds(subject.pid);
  const workersBefore = readWorkers();
  const coreBefore = readCore(harness.core);
  const startedMs = performance.now();
  const result = await runUntilAnswered(harness, subject, load);
  const seconds = (performance.now() - startedMs) / 1000;
  const ownSeconds = readTreeCpuSeconds(subject.pid) - ownBefore;
  return {
    ...result,
    cpuShare: ownSeconds / seconds,
    othersShare: Math.max(0, computeBusyShare(coreBefore, readCore(harness.core)) - ownSeconds / seconds),
    ownUs: (ownSeconds / result.requests) * 1e6,
    workersUs: ((readWorkers() - workersBefore) / result.requests) * 1e6,
  };
}

const TRIES = 4;

/**
 * A busy machine may answer no large body within a short round. The round is then repeated with more time. One without an answer in the
 * end counts as 0 requests per second, so that the other rounds are not lost.
 */
async function runUntilAnswered(harness: Harness, subject: Subject, load: WrkLoad): Promise<WrkResult> {
  for (let seconds = load.seconds, tries = 1; ; seconds *= 3, tries++) {
    const result = await runWrk(harness, subject, { ...load, seconds, mayBeUnanswered: true });
    if (result.requests > 0 || tries === TRIES) return result;
  }
}

/** How many requests come through for each one of the base, the median of the rounds. */
export function speedRatio(subject: SubjectRounds, base: SubjectRounds): number {
  const perRound = (result: SubjectRounds) => result.rounds.map((round) => round.requestsPerSecond);
  return medianRatio(perRound(subject), perRound(base));
}

/**
 * How many requests are served for each one of the base in the same processor time of the server, the median of the rounds. Unlike
 * the speed, it hardly depends on what other programs use.
 */
export function costRatio(subject: SubjectRounds, base: SubjectRounds): number {
  const perRound = (result: SubjectRounds) => result.rounds.map(({ ownUs }) => 1 / ownUs);
  return medianRatio(perRound(subject), perRound(base));
}
