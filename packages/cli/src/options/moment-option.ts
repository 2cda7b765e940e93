import { z } from 'zod';

const MESSAGE = 'must be a date such as 2027-01-31 or a time with its offset such as 2027-01-31T18:00:00Z';
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

/** A moment as typed in ISO 8601; a date alone is its midnight in UTC. */
export const momentOption = z
  .string()
  .transform((text) => (DATE_ONLY.test(text) ? `${text}T00:00:00Z` : text))
  .pipe(z.iso.datetime({ offset: true, error: MESSAGE }))
  .transform((text) => new Date(text));
