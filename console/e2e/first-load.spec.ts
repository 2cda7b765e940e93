import type { Page } from '@playwright/test';
import { expect, openSession, test } from './fixtures.ts';

/** Maximum number of gzipped script bytes until a page is loaded. The request log needs most: its rows are virtual. */
const MOST_BYTES = 258_000;

test('every page loads at most 258 kB of scripts as the first page', async ({
  page,
  person,
  installation,
}) => {
  const figures: string[] = [];
  for (const path of ['/sign-in', '/overview', '/keys', '/requests', '/usage', '/billing']) {
    if (path === '/overview') await openSession(page, person, installation);
    const scripts = await listScripts(page, path);
    let bytes = 0;
    for (const url of scripts) bytes += await getSize(page, url);
    figures.push(`${path}: ${bytes} bytes in ${scripts.size} scripts`);
    expect.soft(bytes, path).toBeLessThanOrEqual(MOST_BYTES);
  }
  process.stdout.write(`${figures.join('\n')}\n`);
});

async function listScripts(page: Page, path: string): Promise<Set<string>> {
  const scripts = new Set<string>();
  page.removeAllListeners('request');
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url());
  });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return scripts;
}

async function getSize(page: Page, url: string): Promise<number> {
  const answer = await page.request.get(url, { headers: { 'accept-encoding': 'gzip' } });
  expect(answer.headers()['content-encoding'], url).toBe('gzip');
  return Number(answer.headers()['content-length']);
}
