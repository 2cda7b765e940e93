import { CLIENT_IDS } from '@tollgate/core/clients/client';
import { REQUEST_FILTER_FIELDS } from '@tollgate/core/requests/request-filter';
import { z } from 'zod';

export const DEFAULT_CLIENT = 'claude-code';

/** The chosen client, key and model, so that a link shows the same configuration. It never contains the key itself. */
export const connectSearchSchema = z.object({
  client: z.enum(CLIENT_IDS).optional().catch(undefined),
  /** Key ID. */
  key: REQUEST_FILTER_FIELDS.key.optional().catch(undefined),
  model: z.coerce.string().max(200).optional().catch(undefined),
});

export type ConnectSearch = z.infer<typeof connectSearchSchema>;
