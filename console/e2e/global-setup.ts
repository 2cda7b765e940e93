import { startInstallation } from './installation.ts';

/** Builds the app if it changed, before workers start their installations. */
// oxlint-disable-next-line import/no-default-export -- Playwright takes the default export
export default async function setup(): Promise<void> {
  const { stop } = await startInstallation();
  await stop();
}
