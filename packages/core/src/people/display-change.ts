import { z } from 'zod';
import { timeZoneSchema } from '../requests/last-days.ts';
import { MONEY_PRECISIONS, THEMES, type DisplayPreferences } from './display-preferences.ts';

/** A change of display preferences. A separate file, because pages need the values and not the schema. */
export const displayChangeSchema = z
  .object({
    theme: z.enum(THEMES).nullable(),
    timeZone: timeZoneSchema.nullable(),
    moneyPrecision: z.enum(MONEY_PRECISIONS),
  } satisfies Record<keyof DisplayPreferences, z.ZodType>)
  .partial();

/** Absent fields stay as they are. */
export type DisplayChange = z.infer<typeof displayChangeSchema>;
