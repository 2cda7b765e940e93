import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHECKOUT } from '../env.ts';
import { Failure } from '../failure.ts';

/** Each service's environment check. Loaded by path, because the command line imports neither service. */
interface ApiEnvModule {
  readEnv(source: NodeJS.ProcessEnv): unknown;
}
interface ConsoleEnvModule {
  readEnv(source: NodeJS.ProcessEnv): { ok: true } | { ok: false; faults: string[] };
}

/**
 * Checks the whole configuration before any start or migration.
 * @param environment the services' environment
 * @param known faults found earlier
 * @throws Failure that lists every fault, one per line
 */
export async function refuseWrongConfiguration(
  environment: NodeJS.ProcessEnv,
  known: readonly string[] = [],
): Promise<void> {
  const api: ApiEnvModule = await importSource('api/src/env.ts');
  const console: ConsoleEnvModule = await importSource('console/server/env.ts');
  const read = console.readEnv(environment);
  const faults = firstPerVariable([
    ...known,
    ...apiFaults(api, environment),
    ...(read.ok ? [] : read.faults),
  ]);
  if (faults.length === 0) return;
  const count = faults.length === 1 ? 'an error' : `${faults.length} errors`;
  throw new Failure(
    'configuration_wrong',
    `The configuration has ${count}. Nothing was started or changed. Fix the configuration and try again.\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  );
}

function importSource<T>(file: string): Promise<T> {
  return import(pathToFileURL(path.join(CHECKOUT, file)).href);
}

/** The API throws its faults as an error: a heading, then one line per fault. */
function apiFaults(api: ApiEnvModule, environment: NodeJS.ProcessEnv): string[] {
  try {
    api.readEnv(environment);
    return [];
  } catch (error) {
    const lines = (error instanceof Error ? error.message : String(error)).split('\n');
    return (lines.length > 1 ? lines.slice(1) : lines).map((line) => line.trim());
  }
}

/** Keeps the first fault of each variable, because the services share variables. */
function firstPerVariable(faults: readonly string[]): string[] {
  const byVariable = new Map<string, string>();
  for (const fault of faults) {
    const variable = fault.split(' ')[0] ?? fault;
    if (!byVariable.has(variable)) byVariable.set(variable, fault);
  }
  return [...byVariable.values()];
}
