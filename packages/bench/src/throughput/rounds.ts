import { readCpuSeconds, readMemoryMb } from '../host/process-usage.ts';
import { checkAnswer } from '../subjects/completion.ts';
import type { Stage, Subject } from '../subjects/subject.ts';
import { runWrk, type WrkLoad, type WrkResult } from './wrk.ts';

interface Round extends WrkResult {
  /** Share of its core that the subject used; well under 1, something else was the bottleneck. */
  cpuShare: number;
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

/**
 * Measures the subjects in turns, A B C, then B C A, …: whatever else the machine does meets all of them alike.
 */
export async function measureThroughput(
  stage: Stage,
  subjects: readonly Subject[],
  options: RoundsOptions,
): Promise<SubjectRounds[]> {
  const results: SubjectRounds[] = [];
  for (const subject of subjects) {
    await checkAnswer(subject.name, subject.baseUrl, subject.headers);
    options.onProgress(`warming up ${subject.name}`);
    const warmup = await runWrk(stage, subject, { ...options, seconds: options.warmupSeconds });
    const before = readMemoryMb(subject.pid).now;
    results.push({
      name: subject.name,
      rounds: [],
      answered: warmup.requests + 1,
      memoryMb: { before, after: before },
    });
  }
  for (let round = 0; round < options.rounds; round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      const index = (round + turn) % subjects.length;
      const subject = subjects[index];
      const result = results[index];
      if (subject === undefined || result === undefined) continue;
      const measured = await measureRound(stage, subject, options);
      result.rounds.push(measured);
      result.answered += measured.requests;
      result.memoryMb.after = readMemoryMb(subject.pid).now;
      options.onProgress(
        `round ${round + 1}/${options.rounds}  ${subject.name}  ${Math.round(measured.requestsPerSecond)} req/s`,
      );
    }
  }
  return results;
}

async function measureRound(stage: Stage, subject: Subject, load: WrkLoad): Promise<Round> {
  const cpuBefore = readCpuSeconds(subject.pid);
  const startedMs = performance.now();
  const result = await runWrk(stage, subject, load);
  const seconds = (performance.now() - startedMs) / 1000;
  return { ...result, cpuShare: (readCpuSeconds(subject.pid) - cpuBefore) / seconds };
}
