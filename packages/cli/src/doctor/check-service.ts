import { reachable } from '../start/addresses.ts';
import { isPortFree } from '../start/ports.ts';
import { fail, ok, warn, type Check } from './check.ts';

const TIMEOUT_MS = 2_000;

export interface ServiceAddress {
  name: string;
  host: string;
  port: number;
  /** The variable that moves it. */
  setting: string;
}

/** Tells whether a service runs and is well, and whether its port is free where it does not. */
export async function checkService(service: ServiceAddress): Promise<Check> {
  const { name, host, port, setting } = service;
  const where = `${host}:${port}`;
  const elsewhere = `stop what listens there, or set ${setting}`;
  const free = await isPortFree(host, port);
  if (free.ok) return ok(name, `not running; ${where} is free`);
  if (free.reason === 'unusable')
    return fail(name, `${where} cannot be listened on: ${free.detail}`, `set ${setting}`);
  try {
    const response = await fetch(`http://${reachable(host)}:${port}/healthz`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok
      ? ok(name, `running on ${where} and healthy`)
      : fail(name, `${where} answers /healthz with ${response.status}`, `look into its log; or ${elsewhere}`);
  } catch {
    return warn(name, `${where} is taken and does not answer /healthz`, elsewhere);
  }
}
