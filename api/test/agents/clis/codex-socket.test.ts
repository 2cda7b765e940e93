import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getPrompt, JOB_FILES } from '@tollgate/testing/coding-model/coding-job';
import { isMissing } from '@tollgate/testing/missing-tool';
import { describe, it } from 'vitest';
import { CODEX_SOCKET } from './coding-agents.ts';
import { getProviderBill, RESPONSES, startCodingHarness } from './coding-harness.ts';
import { createWorkFolder, hasAgents, startAgent } from './run-agent.ts';

const LOOK_MS = 5;

const isSkipped = isMissing(
  'the folder of pinned agents (node api/test/agents/clis/install.mjs)',
  hasAgents,
  'WebSockets of Codex',
);

describe.skipIf(isSkipped)('Codex over WebSocket', { timeout: 150_000 }, () => {
  it('continues its job when its connection ends after each response', async ({ expect }) => {
    await using harness = await startCodingHarness();
    const { sockets } = harness.api.deps;
    const { requests } = harness.provider;
    let seen = 0;
    let ended = 0;
    const timer = setInterval(() => {
      if (requests.length === seen) return;
      seen = requests.length;
      ended += sockets.size;
      sockets.drain();
    }, LOOK_MS);
    try {
      await using work = await createWorkFolder();
      const { accountId, secret } = await harness.openAccount();
      const origin = harness.api.baseUrl.replace(/\/v1$/, '');
      const prompt = getPrompt(work.folder);
      const running = await startAgent(CODEX_SOCKET, work, { origin, model: RESPONSES, secret, prompt });
      const { exitCode, stdout, stderr, seconds } = await running.finished;
      process.stdout.write(`Codex, ${ended} connections ended: ${seconds.toFixed(1)} s\n`);
      expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 0 });
      expect(`${stdout}${stderr}`).not.toMatch(/warning|error|reconnecting|falling back/i);
      expect(ended).toBeGreaterThan(2);
      for (const [file, text] of Object.entries(JOB_FILES))
        expect(await readFile(path.join(work.folder, file), 'utf8')).toBe(text);
      const bills = await harness.readBills(accountId);
      expect(bills.reduce((sum, { cost }) => sum + cost, 0n)).toBe(getProviderBill(requests));
    } finally {
      clearInterval(timer);
    }
  });
});
