import path from 'node:path';
import { API_ENVIRONMENT, apiNodeFlags } from '@tollgate/core/runtime/api-node-flags';
import { CHECKOUT } from '../env.ts';
import { buildApi } from './build-api.ts';
import type { BuildOptions } from './vite-build.ts';

/** How a process of the api is started. */
export interface ApiProgram {
  /** Node's flags before the file. */
  nodeFlags: readonly string[];
  /** Variables for the process. */
  environment: Readonly<Record<string, string>>;
  /** An absolute path. */
  mainFile: string;
}

/**
 * Builds the api if its sources changed.
 * @returns the api as it is deployed: by `npm start`, and by the benchmark
 * @throws Failure with the bundler's output, or that this user cannot write the build
 */
export async function buildApiProgram(options: BuildOptions): Promise<ApiProgram> {
  return { nodeFlags: apiNodeFlags(), environment: API_ENVIRONMENT, mainFile: await buildApi(options) };
}

/** The api from its sources, for development. */
export function getApiSources(): ApiProgram {
  return {
    nodeFlags: apiNodeFlags(),
    environment: API_ENVIRONMENT,
    mainFile: path.join(CHECKOUT, 'api/src/main.ts'),
  };
}
