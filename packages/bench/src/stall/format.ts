import { median } from '../statistics.ts';
import { formatFixed, formatTable } from '../table.ts';
import type { StallRounds } from './measure.ts';

/** The longest stalls are the longest of all rounds, the other columns medians of the rounds. */
export function formatStall(results: readonly StallRounds[]): string {
  const ms = (value: number) => formatFixed(value, 1, ' ms');
  const rows = results.map(({ name, load, rounds }) => {
    const busiest = findBusiest(rounds);
    return [
      `${load}: ${name}`,
      ms(Math.max(...rounds.map(({ longest }) => longest.wallMs))),
      ms(busiest.cpuMs),
      ms(busiest.gcMs),
      ms(median(rounds.map(({ p99Ms }) => p99Ms))),
      ms(Math.max(...rounds.map(({ longestGcMs }) => longestGcMs))),
      formatFixed(median(rounds.map(({ gcShare }) => gcShare)) * 100, 1, ' %'),
      formatFixed(median(rounds.map(({ cpuShare }) => cpuShare)) * 100, 0, ' %'),
    ];
  });
  return formatTable([
    [
      '',
      'longest',
      'own time at most',
      'of it collection',
      'p99',
      'longest collection',
      'in collections',
      'core used',
    ],
    ...rows,
  ]);
}

/** The stall with the most processor time of the main thread, of all rounds. */
function findBusiest(rounds: StallRounds['rounds']): { cpuMs: number; gcMs: number } {
  return rounds
    .map(({ busiest }) => busiest)
    .reduce((worst, stall) => (stall.cpuMs > worst.cpuMs ? stall : worst), { cpuMs: 0, gcMs: 0 });
}
