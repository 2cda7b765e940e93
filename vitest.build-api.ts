import type { TestProject } from 'vitest/node';
import { buildApi } from './packages/cli/src/start/build-api.ts';

/** Builds the api if it changed, so that the processes of the tests are those of `npm start`. */
export async function setup(project: TestProject): Promise<void> {
  const building = new AbortController();
  project.provide('builtApi', await buildApi({ signal: building.signal, onBuild: () => undefined }));
}
