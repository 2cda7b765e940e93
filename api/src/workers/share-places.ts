import { SharedConcurrency } from '@tollgate/upstreams/routing/coordinated/shared-concurrency';
import { ProviderConcurrency } from '@tollgate/upstreams/routing/provider-concurrency';
import type { WorkerLink } from './worker-link.ts';

/** The places of a process at providers. The supervisor grants those of all workers. */
export function openConcurrency(link: WorkerLink | null): ProviderConcurrency {
  if (link === null) return new ProviderConcurrency();
  const concurrency = new SharedConcurrency({ send: (calls) => link.send({ type: 'places', calls }) });
  link.onPlaces = (replies) => concurrency.receive(replies);
  return concurrency;
}
