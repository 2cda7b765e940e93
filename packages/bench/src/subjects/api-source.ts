import { buildApiProgram, type ApiProgram } from '@tollgate/cli/start/api-program';

/** The code of an api as its commit deploys it: the one of the working tree or of another commit. */
export interface ApiSource extends ApiProgram {
  /** How its results are named. */
  name: string;
}

/** Builds the api of the working tree if it changed. @throws Error with the bundler's output */
export async function buildThisApi(
  signal: AbortSignal,
  onProgress: (line: string) => void,
): Promise<ApiSource> {
  const program = await buildApiProgram({ signal, onBuild: () => onProgress('building the api') });
  return { name: 'gateway', ...program };
}
