import { afterAll, describe, expect, it } from 'vitest';
import { TESTED_ENDPOINTS } from '../tested-endpoints.ts';
import { startFaultGateway } from './provider-faults/fault-gateway.ts';
import type { Judgement, Verdict } from './provider-faults/judge.ts';
import { getProfile } from './provider-faults/profile.ts';
import { getModel, runScenario } from './provider-faults/run-scenario.ts';
import { SCENARIOS } from './provider-faults/scenarios.ts';

const RANKS: readonly Verdict[] = ['fail', 'safe', 'partial', 'pass'];

/** The least of what the gateway does not pass yet: at chat completions, messages and responses. */
const BELOW_PASS: Record<string, readonly [Verdict, Verdict, Verdict]> = {
  S12: ['safe', 'safe', 'safe'],
};

const profile = getProfile(process.env.PROVIDER_FAULTS_PROFILE);
const models = SCENARIOS.flatMap((scenario) =>
  TESTED_ENDPOINTS.map((endpoint) => ({
    id: getModel(scenario, endpoint),
    hasLargerContext: scenario.hasLargerContext === true,
  })),
);
const gateway = await startFaultGateway(models, profile);
const table = new Map<string, Judgement[]>();

afterAll(async () => {
  process.stdout.write(`Provider faults, profile ${profile.name}:\n${renderTable()}`);
  await gateway[Symbol.asyncDispose]();
});

function renderTable(): string {
  const rows = SCENARIOS.map(({ id, title }) => {
    const judged = table.get(id) ?? [];
    const [reason = ''] = judged.flatMap((each) => (each.reason === '' ? [] : [each.reason]));
    return [id, title.padEnd(37), ...judged.map(({ verdict }) => verdict.padEnd(8)), reason.slice(0, 90)];
  });
  const head = ['   ', ''.padEnd(37), ...TESTED_ENDPOINTS.map(({ path }) => path.slice(1, 9).padEnd(8))];
  return [head, ...rows].map((row) => `${row.join(' ').trimEnd()}\n`).join('');
}

describe('a provider with a fault and a second provider', () => {
  it.concurrent.each(SCENARIOS)(
    'gives a good end: $id $title',
    async (scenario) => {
      const judged = await Promise.all(
        TESTED_ENDPOINTS.map((endpoint) => runScenario(gateway, endpoint, { scenario, profile })),
      );
      table.set(scenario.id, judged);
      const least = BELOW_PASS[scenario.id] ?? TESTED_ENDPOINTS.map((): Verdict => 'pass');
      const worse = judged.filter(
        ({ verdict }, at) => RANKS.indexOf(verdict) < RANKS.indexOf(least[at] ?? 'pass'),
      );
      expect(worse).toEqual([]);
    },
    300_000,
  );
});
