import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHECKOUT } from '../env.ts';
import { Failure } from '../failure.ts';

/** Each service's environment check. Loaded by path, because the command line imports neither service. */
interface ApiEnvModule {
  readEnv(source: NodeJS.ProcessEnv): unknown;
}
interface ConsoleEnvModule {
  readEnv(source: NodeJS.ProcessEnv): { ok: true } | { ok: false; problems: string[] };
}

/**
 * Checks the whole configuration before any start or migration.
 * @param environment the services' environment
 * @param known problems found earlier
 * @throws Failure that lists every problem, one per line
 */
export async function refuseWrongConfiguration(
  environment: NodeJS.ProcessEnv,
  known: readonly string[] = [],
): Promise<void> {
  const api: ApiEnvModule = await importSource('api/src/env.ts');
  const console: ConsoleEnvModule = await importSource('console/server/env.ts');
  const read = console.readEnv(environment);
  const problems = firstPerVariable([
    ...known,
    ...apiProblems(api, environment),
    ...(read.ok ? [] : read.problems),
  ]);
  if (problems.length === 0) return;
  const count = problems.length === 1 ? 'an error' : `${problems.length} errors`;
  throw new Failure(
    'configuration_wrong',
    `The configuration has ${count}. Nothing was started or changed. Fix the configuration and try again.\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );
}

function importSource<T>(file: string): Promise<T> {
  return import(pathToFileURL(path.join(CHECKOUT, file)).href);
}

/** The API throws its problems as an error: a heading, then one line per problem. */
function apiProblems(api: ApiEnvModule, environment: NodeJS.ProcessEnv): string[] {
  try {
    api.readEnv(environment);
    return [];
  } catch (error) {
    const lines = (error instanceof Error ? error.message : String(error)).split('\n');
    return (lines.length > 1 ? lines.slice(1) : lines).map((line) => line.trim());
  }
}

/** Keeps the first problem of each variable, because the services share variables. */
function firstPerVariable(problems: readonly string[]): string[] {
  const byVariable = new Map<string, string>();
  for (const problem of problems) {
    const variable = problem.split(' ')[0] ?? problem;
    if (!byVariable.has(variable)) byVariable.set(variable, problem);
  }
  return [...byVariable.values()];
}
