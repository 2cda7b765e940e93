import { MODEL_CAPABILITIES } from '@tollgate/core/models/model-capabilities';
import type { ModelFactsField } from '@tollgate/core/models/model-facts';
import type { ModelFacts } from '@tollgate/db/queries/models/model-facts';
import { z } from 'zod';
import type { CommandOption } from '../../command.ts';
import { capabilitiesOption } from '../../options/capabilities-option.ts';
import { integerOption } from '../../options/integer-option.ts';
import { momentOption } from '../../options/moment-option.ts';

const tokens = integerOption({ min: 1, max: 2_147_483_647 });

/** What a person types for the facts of a model. Facts without a flag stay unchanged. */
export const factsShape = {
  context: tokens.optional(),
  maxOutput: tokens.optional(),
  title: z.string().trim().min(1).max(200).optional(),
  capabilities: capabilitiesOption.optional(),
  retires: momentOption.optional(),
};
const factsSchema = z.object(factsShape);
type TypedFacts = z.infer<typeof factsSchema>;

interface FactOption extends CommandOption {
  read: (typed: TypedFacts) => Partial<ModelFacts>;
}

/** The option of each fact, and how it is read. */
const FACTS: Record<ModelFactsField, FactOption> = {
  contextTokens: {
    flags: '--context <n>',
    about: 'context window in tokens',
    read: ({ context }) => (context === undefined ? {} : { contextTokens: context }),
  },
  maxOutputTokens: {
    flags: '--max-output <n>',
    about: 'maximum output tokens',
    read: ({ maxOutput }) => (maxOutput === undefined ? {} : { maxOutputTokens: maxOutput }),
  },
  title: {
    flags: '--title <title>',
    about: 'display name',
    read: ({ title }) => (title === undefined ? {} : { title }),
  },
  capabilities: {
    flags: '--capabilities <names>',
    about: MODEL_CAPABILITIES.join(','),
    read: ({ capabilities }) => (capabilities === undefined ? {} : { capabilities }),
  },
  retiresAt: {
    flags: '--retires <date>',
    about: 'retirement date in UTC: requests fail from this day on',
    read: ({ retires }) => (retires === undefined ? {} : { retiresAt: retires }),
  },
};

export const FACT_OPTIONS: readonly CommandOption[] = Object.values(FACTS);

export function readFacts(typed: TypedFacts): Partial<ModelFacts> {
  return Object.values(FACTS).reduce((facts, { read }) => ({ ...facts, ...read(typed) }), {});
}
