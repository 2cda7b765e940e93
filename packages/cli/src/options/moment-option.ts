import { z } from 'zod';

const MESSAGE = 'must be a date such as 2027-01-31, or a time with a UTC offset such as 2027-01-31T18:00:00Z';
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

/** Parses an ISO 8601 time; a date means midnight UTC. */
export const momentOption = z
  .string()
  .transform((text) => (DATE_ONLY.test(text) ? `${text}T00:00:00Z` : text))
  .pipe(z.iso.datetime({ offset: true, error: MESSAGE }))
  .transform((text) => new Date(text));
