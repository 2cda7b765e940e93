import { startInstallation } from './installation.ts';

/** Builds the app where it changed, once, before every worker starts an installation of its own on it. */
// oxlint-disable-next-line import/no-default-export -- Playwright takes the default export
export default async function setup(): Promise<void> {
  const { stop } = await startInstallation();
  await stop();
}
