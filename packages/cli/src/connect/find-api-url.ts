import type { CliEnv } from '../env.ts';
import { getAddresses } from '../start/addresses.ts';
import { readRunningFile } from '../start/running-file.ts';

/** The address of the api for callers; it ends with `/v1`. A running `npm start` may have other ports than this command. */
export function findApiUrl(env: CliEnv): string {
  const running = readRunningFile(env.DATA_DIR)?.api;
  const place = running === undefined ? {} : { API_HOST: running.host, API_PORT: running.port };
  return getAddresses({ ...env, ...place }).publicApiUrl;
}
