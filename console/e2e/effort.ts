import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** What a task took: presses of a mouse or finger, and keys. Text filled in by the test counts as no key. */
export interface Effort {
  clicks: number;
  keys: number;
}

export type Task = (what: string, limit: Effort, act: () => Promise<void>) => Promise<Effort>;

/**
 * Counts what each task of a role takes, in every document of the page, prints it, and fails a task that takes more than
 * its limit.
 */
export async function countEffort(page: Page, role: string): Promise<Task> {
  const effort: Effort = { clicks: 0, keys: 0 };
  await page.exposeFunction('countPress', (kind: keyof Effort) => {
    effort[kind] += 1;
  });
  await page.addInitScript(() => {
    const count = (kind: keyof Effort) => (event: Event) => {
      // A script's own events are no effort.
      if (event.isTrusted) void (globalThis as unknown as CountingWindow).countPress(kind);
    };
    addEventListener('pointerdown', count('clicks'), { capture: true });
    addEventListener('keydown', count('keys'), { capture: true });
  });
  return async (what, limit, act) => {
    Object.assign(effort, { clicks: 0, keys: 0 });
    await act();
    const taken = { ...effort };
    process.stdout.write(`${role}: ${what}: ${taken.clicks} clicks, ${taken.keys} keys\n`);
    expect.soft(taken.clicks, `clicks: ${what}`).toBeLessThanOrEqual(limit.clicks);
    expect.soft(taken.keys, `keys: ${what}`).toBeLessThanOrEqual(limit.keys);
    return taken;
  };
}

interface CountingWindow {
  countPress(kind: keyof Effort): Promise<void>;
}
