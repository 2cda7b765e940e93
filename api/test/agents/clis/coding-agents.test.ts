import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { revokeKey } from '@tollgate/db/queries/keys/keys';
import { getPrompt, JOB_ANSWER, JOB_FILES, SLOW_PROMPT } from '@tollgate/testing/coding-model/coding-job';
import { isMissing } from '@tollgate/testing/missing-tool';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { MOST_ABORT_MS } from '../../faults/measure-abort.ts';
import {
  AI_SDK,
  CLAUDE_CODE,
  CODEX,
  CODEX_SOCKET,
  OPENCODE,
  QWEN_CODE,
  type CodingAgent,
} from './coding-agents.ts';
import {
  CHAT,
  CLAUDE,
  CLAUDE_ALIAS,
  getCacheShare,
  getMaximumCost,
  getProviderBill,
  RESPONSES,
  RESPONSES_ALIAS,
  startCodingHarness,
  type CodingHarness,
} from './coding-harness.ts';
import { createMatrix } from './matrix.ts';
import { createWorkFolder, getVersion, hasAgents, startAgent } from './run-agent.ts';

/** Every agent in the API format of its provider, translated to the others, and through other names of models. */
const JOBS: readonly [CodingAgent, readonly string[]][] = [
  [CLAUDE_CODE, [CLAUDE, CLAUDE_ALIAS, RESPONSES, CHAT, RESPONSES_ALIAS]],
  [CODEX, [RESPONSES, RESPONSES_ALIAS, CLAUDE, CHAT, CLAUDE_ALIAS]],
  [CODEX_SOCKET, [RESPONSES, CLAUDE, CHAT]],
  [OPENCODE, [CHAT, CLAUDE, RESPONSES, CLAUDE_ALIAS]],
  [QWEN_CODE, [CHAT, CLAUDE, RESPONSES, CLAUDE_ALIAS]],
  [AI_SDK, [RESPONSES, RESPONSES_ALIAS, CLAUDE, CHAT, CLAUDE_ALIAS]],
];
const AGENTS = JOBS.map(([agent, [model = '']]) => ({ name: agent.name, agent, model }));
const COMPLAINT = /warn|error|fail|retry|unsupported|deprecated|invalid/i;
/** Of the input that is read from the prompt cache in four turns. */
const LEAST_CACHED = 0.5;
/** The first hold as a multiple of what the request costs at its maximum. Web searches of OpenAI make it larger. */
const MOST_HELD = 3;
/** Until an agent with a revoked key says so and ends, also on a busy machine. */
const MOST_REVOKED_SECONDS = 45;

const isSkipped = isMissing(
  'the folder of pinned agents (node api/test/agents/clis/install.mjs)',
  hasAgents,
  'jobs of coding agents',
);

describe.skipIf(isSkipped)('a coding agent', { timeout: 150_000 }, () => {
  const matrix = createMatrix();
  let harness: CodingHarness;
  let origin: string;
  beforeAll(async () => {
    harness = await startCodingHarness();
    origin = harness.api.baseUrl.replace(/\/v1$/, '');
  });
  afterAll(async () => {
    await harness[Symbol.asyncDispose]();
    if (process.env.UPDATE_MATRIX === '1') matrix.save();
  });

  const cases = JOBS.flatMap(([agent, models]) =>
    models.map((model) => ({ name: agent.name, agent, model })),
  );
  it.concurrent.for(cases)('does its job: $name with $model', async ({ agent, model }, { expect }) => {
    await using work = await createWorkFolder();
    const { accountId, secret } = await harness.openAccount();
    const prompt = getPrompt(work.folder);
    const { finished } = await startAgent(agent, work, { origin, model, secret, prompt });
    const { exitCode, stdout, stderr, seconds, startedAtMs } = await finished;
    const isOwn = ({ body }: { body: Buffer | string }) => body.includes(work.folder);
    const refused = harness.model.refusals.filter(isOwn).map(({ message }) => message);
    expect({ exitCode, stdout, stderr, refused }).toMatchObject({ exitCode: 0, refused: [] });
    for (const [file, text] of Object.entries(JOB_FILES))
      expect(await readFile(path.join(work.folder, file), 'utf8')).toBe(text);
    expect(stdout).toContain(JOB_ANSWER);
    const complaints = `${stdout}\n${stderr}`.split('\n').filter((line) => COMPLAINT.test(line));
    expect(complaints.filter((line) => !agent.known.test(line))).toEqual([]);
    const requests = harness.provider.requests.filter(isOwn);
    const bills = await harness.readBills(accountId);
    expect(bills).toHaveLength(requests.length);
    expect(bills.reduce((sum, { cost }) => sum + cost, 0n)).toBe(getProviderBill(requests));
    const cached = getCacheShare(requests);
    expect(cached).toBeGreaterThan(LEAST_CACHED);
    const [first] = requests;
    const held = bills[0]?.held ?? 0n;
    const ratio = first === undefined ? Infinity : Number(held) / Number(getMaximumCost(first));
    expect(ratio).toBeLessThan(MOST_HELD);
    process.stdout.write(
      `${agent.name} with ${model}: the first hold is ${ratio.toFixed(2)} times the maximum cost\n`,
    );
    const provider = requests.at(-1)?.path ?? '';
    matrix.add({
      client: `${agent.name} ${getVersion(agent)}`,
      from: agent.dialect,
      to: provider,
      model,
      firstAnswerSeconds: ((bills[0]?.firstByteAtMs ?? Infinity) - startedAtMs) / 1000,
      seconds,
      holdNanoUsd: held,
      cached,
    });
  });

  it.for(AGENTS)('says soon that its key is revoked: $name', async ({ agent, model }, { expect }) => {
    await using work = await createWorkFolder();
    const { secret, keyId } = await harness.openAccount();
    await revokeKey(harness.database.db, { keyId, accountId: null, actorUserId: null });
    const options = { origin, model, secret, prompt: getPrompt(work.folder) };
    const { stdout, stderr, seconds } = await (await startAgent(agent, work, options)).finished;
    const [line = ''] = `${stdout}\n${stderr}`.split('\n').filter((text) => /revoked/i.test(text));
    process.stdout.write(`${agent.name} with a revoked key: ${seconds.toFixed(1)} s, "${line.trim()}"\n`);
    expect({ stdout, stderr, line }).toMatchObject({ line: expect.stringMatching(/revoked/i) });
    expect(seconds).toBeLessThan(MOST_REVOKED_SECONDS);
  });

  it.for(AGENTS)(
    `ends the work of its provider when it is interrupted: $name`,
    { retry: 2 },
    async ({ agent, model }, { expect }) => {
      await using work = await createWorkFolder();
      const { secret } = await harness.openAccount();
      const options = { origin, model, secret, prompt: `${SLOW_PROMPT} The folder is <${work.folder}>.` };
      const running = await startAgent(agent, work, options);
      const state = { hasEnded: false };
      const ended = running.finished.then(() => {
        state.hasEnded = true;
        return performance.now();
      });
      const find = () =>
        harness.provider.requests.find(
          ({ body, bytesSent }) =>
            body.includes(work.folder) && body.includes('"tools"') && bytesSent > 3_000,
        );
      while (find() === undefined && !state.hasEnded) await sleep(20);
      const interruptedMs = performance.now();
      running.interrupt();
      const endedMs = await ended;
      const record = find();
      await record?.finished;
      expect(record?.outcome).toBe('aborted');
      const abortedMs = Number(record?.abortedAtMs);
      process.stdout.write(
        `${agent.name}, Ctrl-C: the provider is let go after ${(abortedMs - interruptedMs).toFixed(0)} ms, ` +
          `the agent ends after ${(endedMs - interruptedMs).toFixed(0)} ms\n`,
      );
      // An agent may tidy up before it closes its connection.
      expect(abortedMs - endedMs).toBeLessThan(MOST_ABORT_MS);
    },
  );
});
