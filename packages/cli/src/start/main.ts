import '@tollgate/db/quick-imports';
import { childEnvironment, readEnv, type CliEnv } from '../env.ts';
import { getAddresses, refuseTakenPorts } from './addresses.ts';
import { buildApiProgram, type ApiProgram } from './api-program.ts';
import { buildConsole } from './build-console.ts';
import { refuseWrongConfiguration } from './check-configuration.ts';
import { openStartDatabase } from './database.ts';
import { getCliVariables, composeGreeting } from './greeting.ts';
import { lockDataDir } from './lock-data-dir.ts';
import { makeLocalTools } from './local-tools.ts';
import { runToTheEnd } from './run-to-the-end.ts';
import { writeRunningFile } from './running-file.ts';
import { logPath, serviceVariables, startServices } from './services.ts';
import { stopServices, waitUntilReady, waitUntilStopped } from './supervise.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** `npm start`: database → builds of console and API → console and API → greeting; stops in reverse order. */
await runToTheEnd(async (signals) => {
  const env = await readEnvOrListProblems();
  const addresses = getAddresses(env);
  const localTools = makeLocalTools(env, addresses);
  const localToolsToken = localTools?.token ?? null;
  await refuseWrongConfiguration(childEnvironment(serviceVariables(env, addresses, { localToolsToken })));
  await using ends = new AsyncDisposableStack();
  const lock = lockDataDir(env.DATA_DIR);
  ends.defer(() => lock.release());
  await refuseTakenPorts(env);

  const building = build(signals.stopping);
  // Awaited after the database start; until then a rejection must not count as unhandled.
  building.catch(() => undefined);
  const database = await openStartDatabase(env, { say, stopping: signals.stopping });
  ends.defer(() => database.stop());
  const api = await building;
  if (signals.stopping.aborted) return;

  const isDebugging = env.LOG_LEVEL === 'debug' || env.LOG_LEVEL === 'trace';
  const services = startServices(env, addresses, {
    showFrom: isDebugging ? env.LOG_LEVEL : 'warn',
    localToolsToken,
    api,
    stopping: signals.stopping,
  });
  ends.defer(() => stopServices(services, signals));
  // Imported while the services start, because the query builder loads slowly.
  const { openInstallationFacts } = await import('./installation-facts.ts');
  const facts = openInstallationFacts(database.url, addresses);
  ends.defer(() => facts.close());
  const operatorLink = await facts.makeOperatorLink();
  await waitUntilReady(services, signals);
  if (!signals.stopping.aborted) {
    // Written only now, so that a refused start does not replace the file of a running one.
    ends.defer(writeRunningFile(env));
    const seconds = (performance.now() / 1000).toFixed(1);
    const model = await facts.findModel();
    const cliVariables = getCliVariables(env);
    const isEmbedded = env.DATABASE_URL === undefined;
    say(
      composeGreeting({ ...addresses, operatorLink, localTools, seconds, model, cliVariables, isEmbedded }),
    );
  }
  const all = database.kept === null ? services : [...services, database.kept.service];
  await waitUntilStopped(all, signals, (service) =>
    service === database.kept?.service.name ? database.kept.logPath : logPath(env.DATA_DIR, service),
  );
  say('\nStopping after in-flight requests finish. Press Ctrl-C again to stop immediately.');
});

/** Builds the console and the api. */
async function build(signal: AbortSignal): Promise<ApiProgram> {
  await buildConsole({ signal, onBuild: () => say('Building the console…') });
  return buildApiProgram({ signal, onBuild: () => say('Building the api…') });
}

/** Lists invalid variables of the command line together with those of the services. */
async function readEnvOrListProblems(): Promise<CliEnv> {
  try {
    return readEnv();
  } catch (error) {
    await refuseWrongConfiguration(
      childEnvironment({}),
      (error instanceof Error ? error.message : String(error)).split('; '),
    );
    throw error;
  }
}
