import { median } from '../statistics.ts';
import { formatCount, formatFixed, formatTable } from '../table.ts';
import type { PeerFigure, PeerResult } from './measure.ts';

const REASON_LENGTH = 200;

/** How often the metered gateway answers for each answer of the peer is in parentheses. Failures follow the table. */
export function formatPeers(results: readonly PeerResult[]): string {
  const show = (figure: PeerFigure) =>
    figure.kind === 'failed'
      ? 'failed'
      : `${formatCount(median(figure.peer.rounds.map((round) => round.requestsPerSecond)))} (${formatFixed(figure.ratio, 2)} ×)`;
  const rows = results.map(({ name, note, memoryMb, figures: { json, sse, body } }) => [
    `${name} (${note})`,
    show(json),
    show(sse),
    show(body),
    formatFixed(memoryMb, 0, ' MB'),
  ]);
  const failures = results.flatMap(({ name, figures }) =>
    Object.entries(figures).flatMap(([load, figure]) =>
      figure.kind === 'failed'
        ? [`${name}, ${load}: ${figure.reason.replaceAll(/\s+/g, ' ').slice(0, REASON_LENGTH)}`]
        : [],
    ),
  );
  return [formatTable([['', 'JSON', 'SSE', '200 kB', 'memory'], ...rows]), ...failures].join('\n');
}
