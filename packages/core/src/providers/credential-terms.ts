import { z } from 'zod';

/** The label of one of several credentials of a provider. */
export const credentialLabelSchema = z
  .string()
  .trim()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    'Use 1 to 63 lower-case letters, digits, dots, dashes and underscores',
  );

/** Bounds of its share among the credentials of the provider. */
export const credentialWeight = { min: 1, max: 1_000_000 };
