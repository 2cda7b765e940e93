import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHECKOUT } from '../env.ts';
import { Failure } from '../failure.ts';

/** Each service's own check of its environment; loaded by path, since the command line imports neither service. */
interface ApiEnvModule {
  readEnv(source: NodeJS.ProcessEnv): unknown;
}
interface ConsoleEnvModule {
  readEnv(source: NodeJS.ProcessEnv): { ok: true } | { ok: false; faults: string[] };
}

/**
 * Checks the whole configuration before anything is started or migrated.
 * @param environment what the services will get
 * @param known faults that were found already
 * @throws Failure that lists every fault, one a line
 */
export async function refuseWrongConfiguration(
  environment: NodeJS.ProcessEnv,
  known: readonly string[] = [],
): Promise<void> {
  const api: ApiEnvModule = await importSource('api/src/env.ts');
  const console: ConsoleEnvModule = await importSource('console/server/env.ts');
  const read = console.readEnv(environment);
  const faults = oneOfEach([...known, ...apiFaults(api, environment), ...(read.ok ? [] : read.faults)]);
  if (faults.length === 0) return;
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
  throw new Failure(
    'configuration_wrong',
    `The configuration has ${count}. Correct it and start again; nothing was started or changed.\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  );
}

function importSource<T>(file: string): Promise<T> {
  return import(pathToFileURL(path.join(CHECKOUT, file)).href);
}

/** The api reports its faults as an error: a heading, then a line for each. */
function apiFaults(api: ApiEnvModule, environment: NodeJS.ProcessEnv): string[] {
  try {
    api.readEnv(environment);
    return [];
  } catch (error) {
    const lines = (error instanceof Error ? error.message : String(error)).split('\n');
    return (lines.length > 1 ? lines.slice(1) : lines).map((line) => line.trim());
  }
}

/** The services share variables: the first fault of each variable is enough. */
function oneOfEach(faults: readonly string[]): string[] {
  const byVariable = new Map<string, string>();
  for (const fault of faults) {
    const variable = fault.split(' ')[0] ?? fault;
    if (!byVariable.has(variable)) byVariable.set(variable, fault);
  }
  return [...byVariable.values()];
}
