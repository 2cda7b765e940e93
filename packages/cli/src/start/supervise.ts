import { Failure } from '../failure.ts';
import type { Service } from './service.ts';
import { aborted, type StopSignals } from './signals.ts';

/**
 * Waits until all services are ready. Where one of them ends before, the others are heard as well: settings that
 * are wrong for one are often wrong for the other.
 * @throws Failure that names those that did not start
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

/** Waits until the installation is asked to stop. @throws Failure if a service ended for good */
export async function waitUntilStopped(
  services: readonly Service[],
  signals: StopSignals,
  logOf: (service: string) => string,
): Promise<void> {
  const deaths = services.map(async (service) => {
    const end = await service.exited;
    if (signals.stopping.aborted) return;
    throw new Failure('service_ended', `The ${service.name} ended (${end}): see ${logOf(service.name)}`);
  });
  await Promise.race([...deaths, aborted(signals.stopping)]);
}

/**
 * Drains the services, all at the same time, and settles when the last one is gone. They bound their own drain;
 * a second signal ends them at once.
 */
export async function stopServices(services: readonly Service[], signals: StopSignals): Promise<void> {
  // Also one that waits for its restart: it must not start again.
  for (const service of services) service.stop();
  const allGone = Promise.all(services.map((service) => service.exited));
  await Promise.race([allGone, aborted(signals.forced)]);
  if (signals.forced.aborted) for (const service of services) service.kill();
  await allGone;
}
