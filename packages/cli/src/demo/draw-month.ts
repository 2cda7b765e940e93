import { drawRequest, type DrawnRequest } from './draw-request.ts';
import type { KeyProfile } from './profiles.ts';
import { createRandom } from './random.ts';
import { busyness, HOUR_MS, getHours, shareOut, type Span } from './rhythm.ts';

/** A provider incident of two hours, this long before the end. */
const INCIDENT_HOURS_AGO = 9 * 24 + 3;
const INCIDENT_HOURS = 2;

export interface MonthTerms {
  span: Span;
  requests: number;
  seed: number;
  routeId: string;
}

export interface MonthRequest extends DrawnRequest {
  startedAtMs: number;
  key: KeyProfile;
  session: string | null;
}

/** Requests of one hour that belong to one conversation. */
const SESSION_REQUESTS = 12;

function nameSession(sinceMs: number, left: number): string {
  const hour = new Date(sinceMs).toISOString().slice(0, 13);
  return `support-${hour}-${Math.ceil(left / SESSION_REQUESTS)}`;
}

/** Draws a month of usage, by hour and then by key. The same terms give the same month. */
export function* drawMonth(
  keys: readonly KeyProfile[],
  { span, requests, seed, routeId }: MonthTerms,
): Generator<MonthRequest> {
  const random = createRandom(seed);
  const hours = getHours(span);
  const perKey = shareOut(
    requests,
    keys.map(({ share }) => share),
  );
  const perHour = keys.map((key, index) =>
    shareOut(
      perKey[index] ?? 0,
      hours.map((hour) => (hour.sinceMs < getEnd(key, span) ? busyness(key.rhythm, hour, span) : 0)),
    ),
  );
  const incidentMs = span.untilMs - INCIDENT_HOURS_AGO * HOUR_MS;
  for (const [at, hour] of hours.entries()) {
    const isIncident = hour.sinceMs >= incidentMs && hour.sinceMs < incidentMs + INCIDENT_HOURS * HOUR_MS;
    for (const [index, key] of keys.entries()) {
      for (let left = perHour[index]?.[at] ?? 0; left > 0; left--) {
        const startedAtMs = Math.floor(hour.sinceMs + random.next() * (hour.untilMs - hour.sinceMs));
        const session = key.hasSessions ? nameSession(hour.sinceMs, left) : null;
        yield { ...drawRequest(random, { key, isIncident, routeId }), startedAtMs, key, session };
      }
    }
  }
}

/** Returns the time a key was revoked, or the end of the span. */
export function getEnd({ revokedAfter }: KeyProfile, { sinceMs, untilMs }: Span): number {
  return revokedAfter === null ? untilMs : sinceMs + (untilMs - sinceMs) * revokedAfter;
}
