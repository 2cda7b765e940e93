import { median } from '../statistics.ts';
import { formatCount, formatFixed, formatTable } from '../table.ts';
import { possibleSpeedUp, speedUps, type WorkersResult, type WorkersScenario } from './measure.ts';

export function formatWorkers(result: WorkersResult): string {
  if (result.kind === 'none') return `${result.commit} has no workers: it does not know API_WORKERS`;
  const { limited, shared } = result;
  const row = (scenario: WorkersScenario, kind: string, factor: number) => {
    const { name, one, two } = scenario;
    const mid = (rounds: typeof one.rounds, pick: (round: (typeof rounds)[number]) => number) =>
      median(rounds.map(pick));
    return [
      `${name}, ${kind}`,
      formatCount(mid(one.rounds, (round) => round.requestsPerSecond)),
      formatCount(mid(two.rounds, (round) => round.requestsPerSecond)),
      formatFixed(
        mid(one.rounds, ({ ownUs }) => ownUs),
        0,
        ' µs',
      ),
      formatFixed(
        mid(two.rounds, ({ ownUs }) => ownUs),
        0,
        ' µs',
      ),
      ...[one, two].map(({ rounds }) =>
        formatFixed(
          mid(rounds, ({ cpuShare }) => 100 * cpuShare),
          0,
          ' %',
        ),
      ),
      formatFixed(factor, 2),
    ];
  };
  return formatTable([
    [
      '',
      'req/s, 1 worker',
      '2 workers',
      'own time, 1 worker',
      '2 workers',
      'core used, 1 worker',
      '2 workers',
      '× 1 worker',
    ],
    ...(limited ?? []).map((scenario) => row(scenario, 'each 30 % of a core', median(speedUps(scenario)))),
    ...shared.map((scenario) => row(scenario, 'one core, by time', possibleSpeedUp(scenario))),
  ]);
}
