import { setTimeout as sleep } from 'node:timers/promises';
import type { TestedEndpoint } from '../../tested-endpoints.ts';
import { ask } from './ask.ts';
import { getFallback, HEALTHY, getPrimary, type FaultGateway } from './fault-gateway.ts';
import { judge, type Judgement } from './judge.ts';
import type { Profile } from './profile.ts';
import type { Scenario } from './scenario.ts';
import { COMPLETE_TEXT, createFallback } from './scripts.ts';
import type { Answer, Seen, SequenceSeen } from './seen.ts';

interface Run {
  gateway: FaultGateway;
  endpoint: TestedEndpoint;
  scenario: Scenario;
  profile: Profile;
  model: string;
}

/** The model of one scenario at one endpoint. */
export function getModel({ id }: Scenario, { dialect }: TestedEndpoint): string {
  return `${id}-${dialect}`.toLowerCase();
}

/** Runs one scenario at one endpoint, and judges what it shows. */
export async function runScenario(
  gateway: FaultGateway,
  endpoint: TestedEndpoint,
  { scenario, profile }: Pick<Run, 'scenario' | 'profile'>,
): Promise<Judgement> {
  const model = getModel(scenario, endpoint);
  const { provider } = gateway;
  const run = { gateway, endpoint, scenario, profile, model };
  const upMs = performance.now() + profile.outageMs;
  const fault = scenario.getFault(profile, () => performance.now() < upMs);
  provider.always(fault.always, { model: getPrimary(model) });
  if (fault.first !== undefined) provider.next(fault.first, { model: getPrimary(model) });
  provider.always(createFallback(scenario.refusesPrefill === true, profile.tokenMs), {
    model: getFallback(model),
  });
  const { answers, sequence } =
    scenario.isSequence === true
      ? await runSequence(run, upMs)
      : { answers: [await askModel(run, model)], sequence: null };
  return judge(scenario, await observe(run, answers, sequence), profile);
}

function askModel({ gateway, endpoint, profile }: Run, model: string): Promise<Answer> {
  const { baseUrl, secret } = gateway;
  return ask(endpoint, { baseUrl, secret, model, hangMs: profile.limits.hang });
}

/** @param upMs when the provider recovers, by `performance.now()` */
async function runSequence(run: Run, upMs: number): Promise<{ answers: Answer[]; sequence: SequenceSeen }> {
  const { profile, model, gateway } = run;
  const { requests, intervalMs } = profile.sequence;
  const startMs = performance.now();
  const sent: { isDuringOutage: boolean; answer: Answer }[] = [];
  for (let at = 0; at < requests; at += 1) {
    await sleep(Math.max(0, startMs + at * intervalMs - performance.now()));
    const isDuringOutage = performance.now() < upMs;
    sent.push({ isDuringOutage, answer: await askModel(run, model) });
  }
  const during = sent.filter(({ isDuringOutage }) => isDuringOutage);
  const recovered = gateway.provider.requests.find(
    (request) =>
      request.model === getPrimary(model) && request.receivedAtMs >= upMs && request.status === 200,
  );
  return {
    answers: sent.map(({ answer }) => answer),
    sequence: {
      duringOutage: during.length,
      servedDuringOutage: during.filter(({ answer }) => answer.outcome === 'response').length,
      recoveredAfterMs: recovered === undefined ? null : recovered.receivedAtMs - upMs,
    },
  };
}

async function observe(run: Run, answers: readonly Answer[], sequence: SequenceSeen | null): Promise<Seen> {
  const { gateway, model } = run;
  const calls = gateway.provider.requests.filter((request) => request.model === getPrimary(model));
  const fallbacks = gateway.provider.requests.filter((request) => request.model === getFallback(model));
  const healthy = await askModel(run, HEALTHY);
  const [firstMs = 0] = calls.map(({ receivedAtMs }) => receivedAtMs);
  const worst = answers.find(({ outcome }) => outcome !== 'response') ?? answers.at(-1);
  if (worst === undefined) throw new Error('The scenario sent no request');
  return {
    answer: worst,
    isComplete: answers.every(({ text }) => text === COMPLETE_TEXT),
    primaryMs: calls.map(({ receivedAtMs }) => receivedAtMs - firstMs),
    fallbackCalls: fallbacks.length,
    fallbackModel: getFallback(model),
    prefillRefusals: fallbacks.filter(({ status }) => status === 400).length,
    isAliveAfter: healthy.outcome === 'response' && healthy.text !== '',
    sequence,
  };
}
