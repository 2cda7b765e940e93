import { existsSync } from 'node:fs';

/**
 * Debian's Chromium, or CHROMIUM_PATH: Playwright's own browsers are not downloaded.
 * @throws if it does not exist
 */
export function findChromium(): string {
  const found = [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path !== undefined && path !== '' && existsSync(path));
  if (found !== undefined) return found;
  throw new Error('The browser tests need Chromium: apt-get install -y chromium, or set CHROMIUM_PATH');
}
