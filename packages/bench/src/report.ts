import { BUSY } from './host/background-load.ts';
import { addedDelay, type StreamRounds } from './streams/measure.ts';
import { median, medianRatio } from './statistics.ts';
import { addedFirstByte, translationRatio, type TranslationResult } from './translation/measure.ts';
import { formatCount, formatFixed, formatTable } from './table.ts';
import type { SubjectRounds } from './throughput/rounds.ts';
import type { Figures, Verdict } from './verdicts.ts';

export interface BenchResult {
  throughput: SubjectRounds[];
  streams: StreamRounds[];
  translation: TranslationResult;
  answered: number;
  recorded: number;
  /** Share of the two cores that was in use while the benchmark did nothing, before or after: the larger. */
  backgroundLoad: number;
  /** Resident memory of the gateway in MB: as started, and after everything. */
  gatewayMemoryMb: { started: number; end: number };
}

/** The figures that the targets speak of. */
export function summarise(result: BenchResult): Figures {
  const gateway = getNamed(result.throughput, 'gateway');
  const over = (name: string) => ratio(gateway, getNamed(result.throughput, name));
  const streams = getNamed(result.streams, 'gateway');
  const rounds = streams.rounds;
  return {
    overPortkey: over('portkey'),
    overNginx: over('nginx'),
    addedP99Ms: addedDelay(streams, getNamed(result.streams, 'direct')).p99Ms,
    memoryMb: Math.max(...rounds.map((round) => round.usage?.peakMb ?? Number.NaN)),
    translatedOverRelayed: translationRatio(result.translation),
    addedFirstByteP99Ms: addedFirstByte(result.translation).p99Ms,
    chunksLost: rounds.reduce(
      (sum, round) => sum + round.lost + round.outOfOrder + round.incomplete,
      result.translation.chunksLost,
    ),
    answered: result.answered,
    recorded: result.recorded,
  };
}

/** Everything that was measured, as text. */
export function formatReport(result: BenchResult, verdicts: readonly Verdict[]): string {
  const { started, end } = result.gatewayMemoryMb;
  return [
    'Throughput: 64 connections, instant upstream, medians of the rounds',
    formatThroughput(result.throughput),
    '',
    'Streams: delay of a chunk from the upstream to the client, medians of the rounds',
    formatStreams(result.streams),
    '',
    'Translation: 300 streams between two dialects, and the first text of 200 requests a second, medians of the rounds',
    formatTranslation(result.translation),
    '',
    `Memory of the gateway: ${formatFixed(started, 0)} MB when started, ${formatFixed(end, 0)} MB at the end`,
    formatBackgroundLoad(result.backgroundLoad),
    '',
    ...verdicts.map((verdict) => verdict.text),
  ].join('\n');
}

function formatBackgroundLoad(share: number): string {
  const text = `Other programs: ${formatFixed(share * 100, 0)} % of the two cores while nothing was measured`;
  return share > BUSY ? `${text}; what is said of speed below is no verdict` : text;
}

function formatThroughput(results: readonly SubjectRounds[]): string {
  const header = ['', 'req/s', '× portkey', '× nginx', 'p50', 'p99', 'core used', 'memory'];
  const rows = results.map((result) => {
    const mid = (pick: (round: SubjectRounds['rounds'][number]) => number) => median(result.rounds.map(pick));
    return [
      result.name,
      formatCount(mid((round) => round.requestsPerSecond)),
      formatFixed(ratio(result, getNamed(results, 'portkey')), 2),
      formatFixed(ratio(result, getNamed(results, 'nginx')), 3),
      formatFixed(
        mid((round) => round.p50Ms),
        2,
        ' ms',
      ),
      formatFixed(
        mid((round) => round.p99Ms),
        2,
        ' ms',
      ),
      formatFixed(mid((round) => round.cpuShare) * 100, 0, ' %'),
      `${formatFixed(result.memoryMb.before, 0)} → ${formatFixed(result.memoryMb.after, 0)} MB`,
    ];
  });
  return formatTable([header, ...rows]);
}

function formatStreams(results: readonly StreamRounds[]): string {
  const header = ['', 'chunks/s', 'p50', 'p99', 'added p50', 'added p99', 'lost', 'core used', 'memory'];
  const direct = getNamed(results, 'direct');
  const rows = results.map((result) => {
    const mid = (pick: (round: StreamRounds['rounds'][number]) => number) => median(result.rounds.map(pick));
    const added = result === direct ? { p50Ms: Number.NaN, p99Ms: Number.NaN } : addedDelay(result, direct);
    return [
      result.name,
      formatCount(mid((round) => round.chunksPerSecond)),
      formatFixed(
        mid((round) => round.delayMs.p50),
        2,
        ' ms',
      ),
      formatFixed(
        mid((round) => round.delayMs.p99),
        2,
        ' ms',
      ),
      formatFixed(added.p50Ms, 2, ' ms'),
      formatFixed(added.p99Ms, 2, ' ms'),
      formatCount(result.rounds.reduce((sum, round) => sum + round.lost, 0)),
      formatFixed(mid((round) => round.usage?.cpuShare ?? Number.NaN) * 100, 0, ' %'),
      formatFixed(Math.max(...result.rounds.map((round) => round.usage?.peakMb ?? Number.NaN)), 0, ' MB'),
    ];
  });
  return formatTable([header, ...rows]);
}

function formatTranslation(result: TranslationResult): string {
  const { direct, gateway } = result.firstByte;
  const times = (name: string, rounds: typeof direct) => [
    name,
    '-',
    formatFixed(median(rounds.map(({ p50Ms }) => p50Ms)), 2, ' ms'),
    formatFixed(median(rounds.map(({ p99Ms }) => p99Ms)), 2, ' ms'),
  ];
  const carried = (name: string, rounds: number[]) => [name, formatCount(median(rounds)), '-', '-'];
  return formatTable([
    ['', 'chunks per CPU second', 'first text p50', 'first text p99'],
    carried('relayed', result.relayed),
    carried('translated', result.translated),
    times('direct', direct),
    times('gateway', gateway),
  ]);
}

function ratio(subject: SubjectRounds, base: SubjectRounds): number {
  const perRound = (result: SubjectRounds) => result.rounds.map((round) => round.requestsPerSecond);
  return medianRatio(perRound(subject), perRound(base));
}

function getNamed<T extends { name: string }>(results: readonly T[], name: string): T {
  const found = results.find((result) => result.name === name);
  if (found === undefined) throw new Error(`${name} was not measured`);
  return found;
}
