import { localUrl } from '@tollgate/core/runtime/local-address';
import { z } from 'zod';
import { isPortFree } from '../start/ports.ts';
import { fail, ok, warn, type Check } from './check.ts';

const TIMEOUT_MS = 5_000;
const readinessSchema = z.object({ status: z.string(), checks: z.record(z.string(), z.string()) });
/** State of a working component in `/readyz`. */
const FINE = /^ok\b/;

export interface ServiceAddress {
  name: string;
  host: string;
  port: number;
  /** The variable that changes the port. */
  setting: string;
  /** False: no services run on this data directory, so a responding service belongs to another installation. */
  canBeOwn: boolean;
}

/** Checks that the service is ready or, if it is not running, that its port is free. */
export async function checkService(service: ServiceAddress): Promise<Check> {
  const { name, host, port, setting, canBeOwn } = service;
  const where = `${host}:${port}`;
  const elsewhere = `stop the process on this port, or set ${setting}`;
  const free = await isPortFree(host, port);
  if (free.ok) return ok(name, `not running; ${where} is free`);
  if (free.reason === 'unusable')
    return fail(name, `cannot listen on ${where} (${free.detail})`, `set ${setting}`);
  const readiness = await readReadiness(`${localUrl(host, port)}/readyz`);
  if (readiness === null)
    return warn(name, `${where} is in use by a process that does not respond to /readyz`, elsewhere);
  if (!canBeOwn) return warn(name, `another installation uses ${where}`, elsewhere);
  const problems = Object.entries(readiness.checks).filter(([, detail]) => !FINE.test(detail));
  const listed = problems.map(([part, detail]) => `${part}: ${detail}`).join('; ');
  if (!readiness.isReady)
    return fail(name, `running on ${where}, not ready (${listed || readiness.status})`, 'see its log');
  return problems.length === 0
    ? ok(name, `running on ${where} and ready`)
    : warn(name, `running on ${where} (${listed})`, 'see its log');
}

async function readReadiness(url: string) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const parsed = readinessSchema.safeParse(await response.json());
    return parsed.success ? { ...parsed.data, isReady: response.ok } : null;
  } catch {
    return null;
  }
}
