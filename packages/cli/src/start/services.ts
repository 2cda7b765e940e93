import path from 'node:path';
import { CHECKOUT, type CliEnv } from '../env.ts';
import type { Addresses } from './addresses.ts';
import type { ApiProgram } from './api-program.ts';
import { formatLogLine, type LogLevel } from './log-line.ts';
import { keepRunning } from './keep-running.ts';
import { openLogFile } from './log-file.ts';
import { startService, type Service } from './service.ts';

export interface ServiceOptions {
  /** Node flags before the file, such as `--watch`. */
  nodeFlags?: readonly string[];
  /** The built api, or its sources. */
  api: ApiProgram;
  /** Port of the console's server if the browser connects to another server. */
  consolePort?: number;
  /** Token for the console's mailbox and test payments; null: it has neither. */
  localToolsToken: string | null;
  /** Lowest level shown in the terminal; DATA_DIR/logs has all lines. */
  showFrom: LogLevel;
  /** Fires when the installation stops: services are not restarted after that. */
  stopping: AbortSignal;
}

/** Starts the console and the API, and restarts either when it exits. */
export function startServices(env: CliEnv, addresses: Addresses, options: ServiceOptions): Service[] {
  const shared = serviceVariables(env, addresses, options);
  const definitions = [
    {
      name: 'api',
      file: options.api.mainFile,
      flags: options.api.nodeFlags,
      variables: { ...shared, ...options.api.environment },
      healthUrl: addresses.apiHealthUrl,
    },
    {
      name: 'console',
      file: 'console/server/main.ts',
      flags: [],
      variables: shared,
      healthUrl: addresses.consoleHealthUrl,
    },
  ];
  return definitions.map(({ name, file, flags, variables, healthUrl }) => {
    const onLine = lineSink(name, env.DATA_DIR, options.showFrom);
    const args = [...flags, ...(options.nodeFlags ?? []), path.resolve(CHECKOUT, file)];
    return keepRunning(() => startService({ name, args, cwd: CHECKOUT, env: variables, healthUrl, onLine }), {
      stopping: options.stopping,
      say: (line) => process.stderr.write(`${line}\n`),
      logPath: logPath(env.DATA_DIR, name),
    });
  });
}

/** Variables for the services in addition to this process's environment. */
export function serviceVariables(
  env: CliEnv,
  addresses: Addresses,
  options: Pick<ServiceOptions, 'localToolsToken' | 'consolePort' | 'nodeFlags'>,
): Record<string, string> {
  return {
    TOLLGATE_ORCHESTRATED: '1',
    TOLLGATE_LOCAL_TOOLS_TOKEN: options.localToolsToken ?? '',
    DATA_DIR: env.DATA_DIR,
    LOG_LEVEL: env.LOG_LEVEL,
    API_HOST: env.API_HOST,
    API_PORT: String(env.API_PORT),
    // With `--watch`, Node restarts one process.
    API_WORKERS: options.nodeFlags?.length ? '1' : (env.API_WORKERS ?? 'auto'),
    CONSOLE_HOST: env.CONSOLE_HOST,
    CONSOLE_PORT: String(options.consolePort ?? env.CONSOLE_PORT),
    PUBLIC_API_URL: addresses.publicApiUrl,
    PUBLIC_CONSOLE_URL: addresses.publicConsoleUrl,
  };
}

/** Path of a service's log. */
export function logPath(dataDir: string, service: string): string {
  return path.join(dataDir, 'logs', `${service}.log`);
}

/** Logs every line of a service and shows those of at least `showFrom`. */
export function lineSink(service: string, dataDir: string, showFrom: LogLevel): (line: string) => void {
  const file = openLogFile(logPath(dataDir, service));
  return (line) => {
    file.write(line);
    const shown = formatLogLine(service, line, showFrom);
    if (shown !== null) process.stderr.write(`${shown}\n`);
  };
}
