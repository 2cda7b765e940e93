import '@tollgate/db/quick-imports';
import { findFreePort } from '@tollgate/db/embedded/embedded';
import { readEnv, type CliEnv } from '../env.ts';
import { getAddresses, refuseTakenPorts } from '../start/addresses.ts';
import { getApiSources } from '../start/api-program.ts';
import { openStartDatabase } from '../start/database.ts';
import { CONSOLE_FOLDER, findVite } from '../start/find-vite.ts';
import { lockDataDir } from '../start/lock-data-dir.ts';
import { makeLocalTools } from '../start/local-tools.ts';
import { runToTheEnd } from '../start/run-to-the-end.ts';
import { startService, type Service } from '../start/service.ts';
import { lineSink, logPath, startServices } from '../start/services.ts';
import { stopServices, waitUntilReady, waitUntilStopped } from '../start/supervise.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * `npm run dev`: Vite serves the browser on the console's port and forwards `/trpc` to the console's server.
 * Both servers restart when their files change.
 */
await runToTheEnd(async (signals) => {
  const env = readEnv();
  const addresses = getAddresses(env);
  await using ends = new AsyncDisposableStack();
  const lock = lockDataDir(env.DATA_DIR);
  ends.defer(() => lock.release());
  await refuseTakenPorts(env);
  const database = await openStartDatabase(env, { say, stopping: signals.stopping });
  ends.defer(() => database.stop());

  const localTools = makeLocalTools(env, addresses);
  const consolePort = await findFreePort();
  const serverUrl = `http://127.0.0.1:${consolePort}`;
  const servers = startServices(
    { ...env, CONSOLE_HOST: '127.0.0.1' },
    { ...addresses, consoleHealthUrl: `${serverUrl}/healthz` },
    {
      api: getApiSources(),
      nodeFlags: ['--watch', '--watch-preserve-output'],
      consolePort,
      showFrom: env.LOG_LEVEL,
      localToolsToken: localTools?.token ?? null,
      stopping: signals.stopping,
    },
  );
  const services = [
    ...servers,
    startVite(env, serverUrl, new URL('/index.html', addresses.consoleHealthUrl).href),
  ];
  ends.defer(() => stopServices(services, signals));
  const { openInstallationFacts } = await import('../start/installation-facts.ts');
  const facts = openInstallationFacts(database.url, addresses);
  ends.defer(() => facts.close());
  const operatorLink = await facts.makeOperatorLink();
  await waitUntilReady(services, signals);
  if (!signals.stopping.aborted) {
    say(`Console  ${addresses.publicConsoleUrl}\nAPI      ${addresses.publicApiUrl}`);
    if (operatorLink !== null) say(`Sign up as operator (valid for 24 hours): ${operatorLink}`);
    if (localTools !== null) say(`Mailbox and test payments: ${localTools.link}`);
    say('Watching source files. Press Ctrl-C to stop.');
  }
  const all = database.kept === null ? services : [...services, database.kept.service];
  await waitUntilStopped(all, signals, (service) =>
    service === database.kept?.service.name ? database.kept.logPath : logPath(env.DATA_DIR, service),
  );
});

function startVite(env: CliEnv, serverUrl: string, healthUrl: string): Service {
  const { CONSOLE_HOST: host, CONSOLE_PORT: port } = env;
  return startService({
    name: 'vite',
    args: [findVite(), '--host', host, '--port', String(port), '--strictPort', '--clearScreen', 'false'],
    cwd: CONSOLE_FOLDER,
    env: { CONSOLE_SERVER_URL: serverUrl },
    healthUrl,
    onLine: lineSink('vite', env.DATA_DIR, env.LOG_LEVEL),
  });
}
