import { setTimeout as sleep } from 'node:timers/promises';
import { asObject, parseJsonObject } from '@tollgate/dialects/json/parse-object';
import type { FakeDialect } from '@tollgate/testing/fake-provider/script';
import { PROVIDER_FAULTS } from '@tollgate/testing/fault-table';
import type { ProviderFault, Strike } from '@tollgate/testing/provider-fault';
import { afterAll, describe, expect, it } from 'vitest';
import { createFaultHarness, FAULTY_DIALECTS, getModel, type FaultHarness } from './fault-harness.ts';
import { TESTED_ENDPOINTS, type TestedEndpoint } from '../tested-endpoints.ts';

/** Far more than twice all timeouts: only a request that is never answered or settled exceeds them, on a busy machine too. */
const ANSWERED_WITHIN_MS = 25_000;
const SETTLED_WITHIN_MS = 20_000;
const RUNTIMES = (['node', 'web'] as const).filter(
  (runtime) => runtime === 'node' || process.env.FAULT_RUNTIMES === 'all',
);
const harnesses = new Map<string, FaultHarness>();
for (const runtime of RUNTIMES) harnesses.set(runtime, await createFaultHarness(runtime));
const rows: string[][] = [];

afterAll(async () => {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  process.stdout.write(`${lines.toSorted().join('\n')}\n`);
  for (const harness of harnesses.values()) await harness[Symbol.asyncDispose]();
});

interface Walk {
  harness: FaultHarness;
  endpoint: TestedEndpoint;
  dialect: FakeDialect;
  fault: ProviderFault;
  number: number;
  isStream: boolean;
}

interface Seen {
  status: number;
  requestId: string;
  text: string;
  retryAfter: string | null;
}

function getRequest({ endpoint, isStream }: Walk, model: string): string {
  const said = { role: 'user', content: 'Say a lot.' };
  const body =
    endpoint.dialect === 'openai-responses' ? { input: [said] } : { messages: [said], max_tokens: 500 };
  return JSON.stringify({ model, ...body, stream: isStream });
}

function getBaseUrl(harness: FaultHarness, { isLarge, code }: ProviderFault): string {
  if (isLarge === true) return harness.smallBaseUrl;
  // Its provider answers, so nothing may be late because the machine is busy.
  return code === 'upstream_error' ? harness.patientBaseUrl : harness.baseUrl;
}

async function ask(walk: Walk, kind: 'alone' | 'backed'): Promise<Seen> {
  const { harness, endpoint, dialect, number } = walk;
  const response = await fetch(getBaseUrl(harness, walk.fault) + endpoint.path, {
    method: 'POST',
    headers: endpoint.headers(harness.secret),
    body: getRequest(walk, getModel(number, dialect, kind)),
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  });
  const { status, headers } = response;
  return {
    status,
    requestId: headers.get('x-request-id') ?? '',
    retryAfter: headers.get('retry-after'),
    text: await response.text(),
  };
}

/** The last event of a stream as an object; null if it is none. */
function getLastEvent(text: string): Record<string, unknown> | null {
  const last = text.trimEnd().split('\n\n').at(-1) ?? '';
  return parseJsonObject(/^data: (.*)$/m.exec(last)?.[1] ?? '');
}

/** The problems of a response that should be complete and valid. */
function checkSound({ endpoint, isStream }: Walk, seen: Seen, isTranslated: boolean): string[] {
  if (seen.status !== 200) return [`status ${seen.status}: ${seen.text.slice(0, 200)}`];
  const ends = {
    'openai-chat': '[DONE]',
    'anthropic-messages': 'message_stop',
    'openai-responses': 'response.completed',
  };
  if (isStream && !seen.text.slice(-5_000).includes(ends[endpoint.dialect])) return ['the stream has no end'];
  if (!isTranslated) return [];
  return isStream
    ? endpoint.checkStream(seen.text, { ending: 'whole', wantsUsage: false })
    : endpoint.checkWhole(JSON.parse(seen.text));
}

/** The problems of the error that ends a started stream. */
function checkBroken({ endpoint, dialect, fault }: Walk, seen: Seen): string[] {
  if (seen.status !== 200) return [`status ${seen.status}`];
  if (/\[DONE\]|"message_stop"|"response\.completed"/.test(seen.text)) return ['it looks complete'];
  const event = getLastEvent(seen.text);
  const error = asObject(event?.['error']) ?? asObject(asObject(event?.['response'])?.['error']) ?? event;
  if (typeof error?.['message'] !== 'string') return ['no error at its end'];
  if (endpoint.dialect === 'openai-chat' && fault.code !== null && error['code'] !== fault.code)
    return [`code ${String(error['code'])}`];
  return endpoint.dialect === dialect
    ? []
    : endpoint.checkStream(seen.text, { ending: 'error', wantsUsage: false });
}

/** The problems of an error that is the whole response. */
function checkError({ endpoint, fault }: Walk, seen: Seen): string[] {
  const body = parseJsonObject(seen.text);
  const problems = endpoint.checkError(body);
  const { code } = asObject(body?.['error']) ?? {};
  if (!fault.statuses.includes(seen.status))
    problems.push(`status ${seen.status}: ${seen.text.slice(0, 200)}`);
  if (endpoint.dialect !== 'anthropic-messages' && fault.code !== null && code !== fault.code)
    problems.push(`code ${String(code)}`);
  if (fault.name === 'asks to wait' && seen.retryAfter !== '7')
    problems.push(`retry-after ${seen.retryAfter}`);
  return problems;
}

async function checkSettlement({ harness }: Walk, seen: Seen, isSound: boolean): Promise<string[]> {
  const deadlineMs = performance.now() + SETTLED_WITHIN_MS;
  let settled = await harness.findSettled(seen.requestId);
  while (settled.length === 0 && performance.now() < deadlineMs) {
    await sleep(50);
    settled = await harness.findSettled(seen.requestId);
  }
  const [only] = settled;
  if (only === undefined || settled.length > 1) return [`settled ${settled.length} times`];
  if (only.status !== seen.status) return [`settled with ${only.status}`];
  return (only.errorCode === null) === isSound ? [] : [`settled as ${only.errorCode ?? 'sound'}`];
}

async function walkAlone(walk: Walk, strike: Strike): Promise<string[]> {
  const seen = await ask(walk, 'alone');
  const isSound = strike === 'never' && walk.fault.statuses.includes(200);
  const problems = isSound
    ? checkSound(walk, seen, walk.endpoint.dialect !== walk.dialect)
    : strike === 'midway'
      ? checkBroken(walk, seen)
      : checkError(walk, seen);
  const settled = await checkSettlement(walk, seen, isSound);
  const end = seen.status === 200 ? (isSound ? 'whole' : 'error event') : String(seen.status);
  rows.push([
    walk.fault.name,
    `${walk.dialect} to ${walk.endpoint.dialect}`,
    walk.isStream ? 'stream' : 'whole',
    end,
  ]);
  return [...problems, ...settled].map((each) => `alone: ${each}`);
}

async function walkBacked(walk: Walk, strike: Strike): Promise<string[]> {
  const { harness, number, dialect, endpoint, fault } = walk;
  const model = getModel(number, dialect, 'backed');
  const takeovers = () => harness.sound.requests.filter((request) => request.model === model).length;
  const before = takeovers();
  const seen = await ask(walk, 'backed');
  const tookOver = takeovers() - before;
  const isSound = strike === 'before' || (strike === 'never' && fault.statuses.includes(200));
  const problems = strike === 'before' && tookOver !== 1 ? [`taken over ${tookOver} times`] : [];
  if (strike !== 'before' && tookOver !== 0) problems.push('taken over although it was answered');
  const isTranslated =
    (strike === 'before') === (endpoint.dialect === dialect) || endpoint.dialect === 'openai-responses';
  if (isSound) problems.push(...checkSound(walk, seen, isTranslated));
  else problems.push(...(strike === 'midway' ? checkBroken(walk, seen) : checkError(walk, seen)));
  return [...problems, ...(await checkSettlement(walk, seen, isSound))].map((each) => `backed: ${each}`);
}

async function walkEverywhere(
  harness: FaultHarness,
  fault: ProviderFault,
  number: number,
): Promise<string[]> {
  // Each of the four has separate models. Large responses share a small memory, so they come one after another.
  const problems: Promise<string[]>[] = [];
  for (const dialect of FAULTY_DIALECTS)
    for (const walk of [walkAlone, walkBacked]) {
      const walking = walkEndpoints(walk, { harness, fault, number, dialect });
      problems.push(walking);
      if (fault.isLarge === true) await walking;
    }
  return (await Promise.all(problems)).flat();
}

async function walkEndpoints(
  take: typeof walkAlone,
  target: Pick<Walk, 'harness' | 'fault' | 'number' | 'dialect'>,
): Promise<string[]> {
  const { fault, dialect } = target;
  const problems: string[] = [];
  for (const endpoint of TESTED_ENDPOINTS) {
    for (const isStream of [false, true]) {
      const strike = isStream ? fault.stream : fault.whole;
      if (strike === null) continue;
      const found = await take({ ...target, endpoint, isStream }, strike);
      const place = `${dialect} to ${endpoint.dialect}, ${isStream ? 'streamed' : 'whole'}`;
      problems.push(...found.map((each) => `${place}: ${each}`));
    }
  }
  return problems;
}

const numbered = PROVIDER_FAULTS.map((fault, number) => ({ name: fault.name, fault, number }));

describe.each([...harnesses].map(([runtime, harness]) => ({ runtime, harness })))(
  'a provider, through $runtime, that',
  ({ harness }) => {
    it.concurrent.each(numbered.filter(({ fault }) => fault.isLarge !== true))(
      '$name, gets the right error, and a failover if possible',
      async ({ fault, number }) => expect(await walkEverywhere(harness, fault, number)).toEqual([]),
      120_000,
    );

    it.each(numbered.filter(({ fault }) => fault.isLarge === true))(
      '$name, gets the right error, and a failover if possible',
      async ({ fault, number }) => expect(await walkEverywhere(harness, fault, number)).toEqual([]),
      120_000,
    );

    it('is never called if its certificate is invalid', () => {
      expect(harness.reachedDeadEnds()).toBe(0);
    });
  },
);
