import { modelPatternSchema } from '@tollgate/core/models/model-pattern';
import { addRoutePattern, type AddPatternDenial } from '@tollgate/db/queries/catalogue/route-patterns';
import { listPatternOffers } from '@tollgate/upstreams/catalogue/model-catalogue';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand, usageFailure } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { integerOption } from '../../options/integer-option.ts';
import { counted } from '../../output/format.ts';
import { patternJson } from './pattern-view.ts';

const inputSchema = z.object({
  provider: z.string(),
  pattern: modelPatternSchema,
  strip: z.string().max(200).optional(),
  priority: integerOption({ min: -1_000, max: 1_000 }).optional(),
  weight: integerOption({ min: 1, max: 1_000_000 }).optional(),
});

export function addPatternAdd(pattern: Command): void {
  addCommand(pattern, {
    usage: 'add',
    summary: 'Route all models of the catalogue that match a pattern to a provider',
    options: [
      { flags: '--provider <name>', about: 'name of the provider; it must have a preset', required: true },
      { flags: '--pattern <pattern>', about: 'beginning of model IDs, and an asterisk', required: true },
      { flags: '--strip <prefix>', about: 'beginning of the pattern that the provider does not know' },
      { flags: '--priority <n>', about: 'priority of the routes; lower values first (default: 0)' },
      { flags: '--weight <n>', about: 'weight of the routes (default: 1)' },
    ],
    input: inputSchema,
    examples: [
      "tollgate pattern add --provider openai --pattern 'gpt-*'",
      "tollgate pattern add --provider anthropic --pattern 'anthropic/*' --strip anthropic/",
    ],
    run: async (input, { env, clock }) => {
      const { provider: providerName, pattern, strip = '', priority = 0, weight = 1 } = input;
      if (!pattern.slice(0, -1).startsWith(strip))
        throw usageFailure([{ path: ['strip'], message: 'must be the beginning of the pattern' }]);
      const offers = listPatternOffers(clock.nowMs());
      const added = await withInstallation(env, ({ db }) =>
        addRoutePattern(
          db,
          { providerName, pattern, strip, priority, weight },
          { offers, actorUserId: null },
        ),
      );
      if (!added.ok) throw denied(added.reason, providerName, pattern);
      const { added: models } = added.synced;
      return {
        json: { ...patternJson(added.pattern), added: models },
        text: `Added ${added.pattern.id}: ${pattern} → ${providerName}, ${counted(models.length, 'model')} added`,
      };
    },
  });
}

function denied(reason: AddPatternDenial, providerName: string, pattern: string): Failure {
  const messages = {
    unknown_provider: `Provider ${providerName} does not exist. List providers with \`tollgate provider list\`.`,
    no_preset: `Provider ${providerName} has no preset, so the catalogue has no prices of it. Add its models with \`tollgate model add\`.`,
    pattern_exists: `${providerName} already has the pattern ${pattern}.`,
    too_many: 'An installation has at most 100 patterns.',
  } satisfies Record<AddPatternDenial, string>;
  return new Failure(reason, messages[reason]);
}
