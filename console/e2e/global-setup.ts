import { startInstallation } from './installation.ts';

/** One installation for the whole run; the tests find it in the environment. */
// oxlint-disable-next-line import/no-default-export -- Playwright takes the default export
export default async function setup(): Promise<() => Promise<void>> {
  const { installation, stop } = await startInstallation();
  process.env['E2E_INSTALLATION'] = JSON.stringify(installation);
  return stop;
}
