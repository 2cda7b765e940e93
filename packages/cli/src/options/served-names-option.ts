import { servedNamesSchema, splitServedNames } from '@tollgate/core/models/served-names';
import { z } from 'zod';

/** Parses `a,b`; nothing for an empty text. */
export const servedNamesOption = z.string().transform(splitServedNames).pipe(servedNamesSchema);
