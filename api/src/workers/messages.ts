/**
 * Messages between the supervisor and its workers. Both ends may be of different releases after a rolling restart, so
 * unknown messages are ignored; a change that a supervisor or worker of an older release misreads needs another
 * protocol number (`worker-place.ts`).
 */

import type { LimitCall, LimitReply } from '@tollgate/limits/coordinated/calls';
import type { PlaceCall, PlaceReply } from '@tollgate/upstreams/routing/coordinated/place-calls';
import type { RouteEvent } from '@tollgate/upstreams/routing/route-events';

/** How many workers are ready, for `/readyz`. */
export interface WorkersState {
  ready: number;
  workers: number;
  /** True for one of the ready workers, which answers for all of them. */
  isSpeaker: boolean;
}

export type ToWorker =
  /** SIGTERM: the whole api stops. */
  | { type: 'drain' }
  /** A new worker has replaced this one: end the present ones when their requests have ended. */
  | { type: 'leave' }
  /** With the listening socket of a worker that is not ready: accept its connections too. */
  | { type: 'cover'; position: number }
  | { type: 'uncover'; position: number }
  | { type: 'limits'; replies: LimitReply[] }
  | { type: 'places'; replies: PlaceReply[] }
  /** Another worker has learned something about routes. */
  | { type: 'routes'; events: RouteEvent[] }
  | ({ type: 'state' } & WorkersState);

export type ToSupervisor =
  | { type: 'ready' }
  | { type: 'limits'; calls: LimitCall[] }
  | { type: 'places'; calls: PlaceCall[] }
  | { type: 'routes'; events: RouteEvent[] };
