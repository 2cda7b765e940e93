import { median } from '../statistics.ts';
import { formatCount, formatFixed, formatTable } from '../table.ts';
import type { TranslationResult } from './measure.ts';

export function formatTranslation(result: TranslationResult): string {
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
