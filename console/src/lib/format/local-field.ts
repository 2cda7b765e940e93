import { createWallClock, findMoment } from '@tollgate/core/requests/wall-clock';
import { visitorTimeZone } from './time-zone.ts';

/** Value of a `datetime-local` field in the user's time zone: `2026-11-21T16:05`. */
export function toLocalField(iso: string | undefined): string {
  if (iso === undefined) return '';
  const clock = createWallClock(visitorTimeZone());
  return new Date(clock(Date.parse(iso))).toISOString().slice(0, 16);
}

/** @returns undefined if the field is empty or invalid */
export function fromLocalField(text: string): string | undefined {
  const wallMs = Date.parse(`${text}Z`);
  if (Number.isNaN(wallMs)) return undefined;
  return new Date(findMoment(wallMs, createWallClock(visitorTimeZone()))).toISOString();
}
