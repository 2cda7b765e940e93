import { localUrl } from '@tollgate/core/runtime/local-address';
import type { CliEnv } from '../env.ts';
import { Failure } from '../failure.ts';
import { isPortFree } from './ports.ts';

/** URLs of the services. */
export interface Addresses {
  /** Ends with `/v1`. */
  publicApiUrl: string;
  publicConsoleUrl: string;
  apiHealthUrl: string;
  consoleHealthUrl: string;
}

export function getAddresses(env: CliEnv): Addresses {
  const api = localUrl(env.API_HOST, env.API_PORT);
  const console = localUrl(env.CONSOLE_HOST, env.CONSOLE_PORT);
  return {
    publicApiUrl: env.PUBLIC_API_URL ?? `${api}/v1`,
    publicConsoleUrl: env.PUBLIC_CONSOLE_URL ?? console,
    apiHealthUrl: `${api}/healthz`,
    consoleHealthUrl: `${console}/healthz`,
  };
}

/** @throws Failure that names every unavailable port and its setting */
export async function refuseTakenPorts(env: CliEnv): Promise<void> {
  if (env.API_PORT === env.CONSOLE_PORT && env.API_HOST === env.CONSOLE_HOST)
    throw new Failure(
      'port_taken',
      `API_PORT and CONSOLE_PORT are both ${env.API_PORT}. Change one of them.`,
    );
  const wanted = [
    { host: env.API_HOST, port: env.API_PORT, setting: 'API' },
    { host: env.CONSOLE_HOST, port: env.CONSOLE_PORT, setting: 'CONSOLE' },
  ];
  const problems = await Promise.all(wanted.map(findPortProblem));
  const found = problems.filter((problem) => problem !== null);
  if (found.length > 0) throw new Failure('port_taken', found.join('\n'));
}

async function findPortProblem(wanted: {
  host: string;
  port: number;
  setting: string;
}): Promise<string | null> {
  const { host, port, setting } = wanted;
  const state = await isPortFree(host, port);
  if (state.ok) return null;
  return state.reason === 'taken'
    ? `Port ${port} is already in use. Stop the process on this port, or change ${setting}_PORT.`
    : `Cannot listen on ${host}:${port} (${state.detail}). Change ${setting}_HOST or ${setting}_PORT.`;
}
