import { median } from '../statistics.ts';
import type { Target } from '../targets.ts';
import type { Scenario } from './measure.ts';

const BODIES_OVER_OTHER = 1.8;
const SSE_OVER_OTHER = 1.35;
const TAIL = 3;

export function targetBodies(scenarios: readonly Scenario[]): Target[] {
  return scenarios.flatMap((scenario) => [
    ...compareSpeed(`bodies of ${scenario.name}`, scenario, BODIES_OVER_OTHER),
    targetTail(scenario),
  ]);
}

export function targetSse(scenarios: readonly Scenario[]): Target[] {
  return scenarios.flatMap((scenario) => compareSpeed(`SSE ${scenario.name}`, scenario, SSE_OVER_OTHER));
}

/** The requests per second of the first result over those of the second, if there is one. */
function compareSpeed(name: string, { results }: Pick<Scenario, 'results'>, target: number): Target[] {
  const [own, other] = results;
  if (own === undefined || other === undefined) return [];
  const rounds = own.rounds.map(
    (round, at) => round.requestsPerSecond / (other.rounds[at]?.requestsPerSecond ?? Number.NaN),
  );
  const othersShare = Math.max(median(own.rounds.map(getShare)), median(other.rounds.map(getShare)));
  const unit = ` × ${other.name}`;
  return [{ name, unit, decimals: 2, rounds, bound: 'at least', target, counts: 'median', othersShare }];
}

function targetTail({ name, connections, results }: Scenario): Target {
  const rounds = results[0]?.rounds ?? [];
  return {
    name: `bodies of ${name}: p99 at ${connections} connections`,
    unit: ' × p50',
    decimals: 2,
    rounds: rounds.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms),
    bound: 'at most',
    target: TAIL,
    counts: 'median',
    othersShare: median(rounds.map(getShare)),
  };
}

const getShare = ({ othersShare }: { othersShare: number }) => othersShare;
