import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { listChildren, readTreeCpuSeconds } from './process-tree.ts';
import { readCpuSeconds } from './process-usage.ts';

const BUSY =
  'const end = Date.now() + 200; while (Date.now() < end); process.send?.(0); setInterval(() => {}, 1000)';

it('counts the processor time of children', async () => {
  const child = spawn(process.execPath, ['-e', BUSY], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  try {
    await once(child, 'message');
    const pid = child.pid ?? 0;
    expect(listChildren(process.pid)).toContain(pid);
    const ofChild = readCpuSeconds(pid);
    expect(ofChild).toBeGreaterThan(0);
    expect(readTreeCpuSeconds(process.pid)).toBeGreaterThanOrEqual(
      readCpuSeconds(process.pid) + ofChild - 0.02,
    );
  } finally {
    child.kill();
  }
});
