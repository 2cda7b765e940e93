import { MODEL_CAPABILITIES } from '@tollgate/core/models/model-capabilities';
import { z } from 'zod';

export const MODEL_SORTS = ['id', 'context', 'output-max', 'input', 'output'] as const;
export type ModelSort = (typeof MODEL_SORTS)[number];

/** State of the models page in the URL; defaults are omitted. */
export const modelsSearchSchema = z.object({
  q: z.coerce.string().max(100).optional().catch(undefined),
  can: z.enum(MODEL_CAPABILITIES).optional().catch(undefined),
  show: z.enum(['all']).optional().catch(undefined),
  sort: z.enum(MODEL_SORTS).optional().catch(undefined),
  down: z.boolean().optional().catch(undefined),
});

export type ModelsSearch = z.infer<typeof modelsSearchSchema>;
