import { MODEL_CAPABILITIES } from '@tollgate/core/models/model-capabilities';
import { z } from 'zod';
import { modelListOption } from './model-list-option.ts';

const error = `must be some of ${MODEL_CAPABILITIES.join(', ')}`;

/** `vision,tools` as typed. */
export const capabilitiesOption = modelListOption.pipe(z.array(z.enum(MODEL_CAPABILITIES, { error })));
