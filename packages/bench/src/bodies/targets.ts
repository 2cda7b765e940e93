import type { Target } from '../targets.ts';
import { compareSpeed, getShare } from '../throughput/targets.ts';
import type { Scenario } from './measure.ts';

const BODIES_OVER_OTHER = 1.8;
const SSE_OVER_OTHER = 1.35;
const TAIL = 3;

export function targetBodies(scenarios: readonly Scenario[]): Target[] {
  return scenarios.flatMap((scenario) => [
    ...compareScenario(`bodies of ${scenario.name}`, scenario, BODIES_OVER_OTHER),
    targetTail(scenario),
  ]);
}

export function targetSse(scenarios: readonly Scenario[]): Target[] {
  return scenarios.flatMap((scenario) => compareScenario(`SSE ${scenario.name}`, scenario, SSE_OVER_OTHER));
}

/** Compares the first result with the second, if there is one. */
function compareScenario(name: string, { results }: Scenario, target: number): Target[] {
  const [own, other] = results;
  if (own === undefined || other === undefined) return [];
  return compareSpeed(results, { name, own: own.name, other: other.name, target });
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
    othersShare: results[0] === undefined ? null : getShare(results[0]),
  };
}
