import { median } from '../statistics.ts';
import { formatFixed, formatTable } from '../table.ts';
import type { FootprintRounds } from './measure.ts';

export function formatFootprint(results: readonly FootprintRounds[]): string {
  const rows = results.map(({ name, rounds }) => {
    const mb = (pick: (round: FootprintRounds['rounds'][number]) => number) =>
      formatFixed(median(rounds.map(pick)), 0, ' MB');
    return [
      name,
      formatFixed(median(rounds.map(({ readyMs }) => readyMs)), 0, ' ms'),
      formatFixed(median(rounds.map(({ readyCpuMs }) => readyCpuMs)), 0, ' ms'),
      mb(({ restMb }) => restMb),
      mb(({ json }) => json.medianMb),
      mb(({ json }) => json.peakMb),
      mb(({ sse }) => sse.medianMb),
      mb(({ sse }) => sse.peakMb),
    ];
  });
  return formatTable([
    [
      '',
      'ready after',
      'own time until then',
      'at rest',
      'JSON median',
      'JSON peak',
      'SSE median',
      'SSE peak',
    ],
    ...rows,
  ]);
}
