import { MODEL_CAPABILITIES } from '@tollgate/core/models/model-capabilities';
import { z } from 'zod';
import { modelListOption } from './model-list-option.ts';

const error = `must be one or more of ${MODEL_CAPABILITIES.join(', ')}`;

/** Parses `vision,tools`. */
export const capabilitiesOption = modelListOption.pipe(z.array(z.enum(MODEL_CAPABILITIES, { error })));
