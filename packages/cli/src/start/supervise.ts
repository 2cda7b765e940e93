import { Failure } from '../failure.ts';
import type { Service } from './service.ts';
import { aborted, type StopSignals } from './signals.ts';

/**
 * Waits until all services are ready. If one exits first, waits for the others too, because a wrong setting
 * often affects both.
 * @throws Failure that names the services that did not start
 */
export async function waitUntilReady(services: readonly Service[], signals: StopSignals): Promise<void> {
  const settled = Promise.allSettled(services.map((service) => service.ready()));
  await Promise.race([settled, aborted(signals.stopping)]);
  if (signals.stopping.aborted) return;
  const failures = (await settled).filter((result) => result.status === 'rejected');
  if (failures.length === 0) return;
  const reasons = failures.map(({ reason }) => (reason instanceof Error ? reason.message : String(reason)));
  throw new Failure('service_not_ready', reasons.join('; '));
}

/** Waits until the installation is asked to stop. @throws Failure if a service exited permanently */
export async function waitUntilStopped(
  services: readonly Service[],
  signals: StopSignals,
  getLog: (service: string) => string,
): Promise<void> {
  const exits = services.map(async (service) => {
    const end = await service.exited;
    if (signals.stopping.aborted) return;
    throw new Failure('service_ended', `The ${service.name} exited (${end}). See ${getLog(service.name)}.`);
  });
  await Promise.race([...exits, aborted(signals.stopping)]);
}

/**
 * Drains all services at the same time and waits for their exit. They limit their own drain time;
 * a second signal kills them.
 */
export async function stopServices(services: readonly Service[], signals: StopSignals): Promise<void> {
  // Includes a service that waits for its restart.
  for (const service of services) service.stop();
  const allExited = Promise.all(services.map((service) => service.exited));
  await Promise.race([allExited, aborted(signals.forced)]);
  if (signals.forced.aborted) for (const service of services) service.kill();
  await allExited;
}
