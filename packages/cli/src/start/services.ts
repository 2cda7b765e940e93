import path from 'node:path';
import { CHECKOUT, type CliEnv } from '../env.ts';
import type { Addresses } from './addresses.ts';
import { formatLogLine, type LogLevel } from './log-line.ts';
import { keepRunning } from './keep-running.ts';
import { openLogFile } from './log-file.ts';
import { startService, type Service } from './service.ts';

export interface ServiceOptions {
  /** Flags of Node before the file, such as `--watch`. */
  nodeFlags?: readonly string[];
  /** The port of the console's server where another one faces the browser. */
  consolePort?: number;
  /** Opens the mailbox and the test payments of the console; null: it has neither. */
  localToolsToken: string | null;
  /** What of the services' logs is shown; all of it is in DATA_DIR/logs. */
  showFrom: LogLevel;
  /** Fires when the installation stops: services are not restarted after that. */
  stopping: AbortSignal;
}

/** Starts the console and the api, and restarts either when it ends. */
export function startServices(env: CliEnv, addresses: Addresses, options: ServiceOptions): Service[] {
  const shared = serviceVariables(env, addresses, options);
  const definitions = [
    { name: 'api', file: 'api/src/main.ts', healthUrl: addresses.apiHealthUrl },
    { name: 'console', file: 'console/server/main.ts', healthUrl: addresses.consoleHealthUrl },
  ];
  return definitions.map(({ name, file, healthUrl }) => {
    const onLine = lineSink(name, env.DATA_DIR, options.showFrom);
    const args = [...(options.nodeFlags ?? []), path.join(CHECKOUT, file)];
    return keepRunning(() => startService({ name, args, cwd: CHECKOUT, env: shared, healthUrl, onLine }), {
      stopping: options.stopping,
      say: (line) => process.stderr.write(`${line}\n`),
      logPath: logPath(env.DATA_DIR, name),
    });
  });
}

/** The variables that the services get in addition to this process's environment. */
export function serviceVariables(
  env: CliEnv,
  addresses: Addresses,
  options: Pick<ServiceOptions, 'localToolsToken' | 'consolePort'>,
): Record<string, string> {
  return {
    TOLLGATE_ORCHESTRATED: '1',
    TOLLGATE_LOCAL_TOOLS_TOKEN: options.localToolsToken ?? '',
    DATA_DIR: env.DATA_DIR,
    LOG_LEVEL: env.LOG_LEVEL,
    API_HOST: env.API_HOST,
    API_PORT: String(env.API_PORT),
    CONSOLE_HOST: env.CONSOLE_HOST,
    CONSOLE_PORT: String(options.consolePort ?? env.CONSOLE_PORT),
    PUBLIC_API_URL: addresses.publicApiUrl,
    PUBLIC_CONSOLE_URL: addresses.publicConsoleUrl,
  };
}

/** Where the log of a service is kept. */
export function logPath(dataDir: string, service: string): string {
  return path.join(dataDir, 'logs', `${service}.log`);
}

/** Keeps every line of a service and shows those that somebody should see. */
export function lineSink(service: string, dataDir: string, showFrom: LogLevel): (line: string) => void {
  const file = openLogFile(logPath(dataDir, service));
  return (line) => {
    file.write(line);
    const shown = formatLogLine(service, line, showFrom);
    if (shown !== null) process.stderr.write(`${shown}\n`);
  };
}
