import { execFileSync } from 'node:child_process';
import path from 'node:path';

const BUILD = path.resolve(import.meta.dirname, '../../packages/cli/src/start/build.ts');

/** Builds the app and the api if they changed, before workers start their installations. */
// oxlint-disable-next-line import/no-default-export -- Playwright takes the default export
export default function setup(): void {
  execFileSync(process.execPath, [BUILD], { stdio: ['ignore', 'ignore', 'inherit'] });
}
