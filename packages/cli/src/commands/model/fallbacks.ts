import {
  DEFAULT_FALLBACK_CLASSES,
  FALLBACK_CLASSES,
  MAX_FALLBACK_MODELS,
  type FallbackModel,
} from '@tollgate/core/models/fallback-model';
import {
  listFallbackModels,
  putFallbackModel,
  removeFallbackModel,
  type FallbackDenial,
} from '@tollgate/db/queries/models/fallback-models';
import type { Connection } from '@tollgate/db/transaction';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { formatTable } from '../../output/table.ts';
import { getModel, modelNotFound } from './model-view.ts';

const inputSchema = z.object({
  id: z.string(),
  add: z.string().optional(),
  on: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(FALLBACK_CLASSES, { error: `must be of ${FALLBACK_CLASSES.join(', ')}` })).min(1))
    .optional(),
  remove: z.string().optional(),
});

export function addModelFallbacks(model: Command): void {
  addCommand(model, {
    usage: 'fallbacks <ID>',
    summary: 'Show, add or remove the models that requests go to if a model fails',
    positional: ['id'],
    options: [
      {
        flags: '--add <model>',
        about: `add a fallback model after the others (at most ${MAX_FALLBACK_MODELS})`,
      },
      {
        flags: '--on <classes>',
        about: `when the added model is tried, comma-separated: failure (no route answers), overload (only if providers are overloaded), context (the input is too long), policy (a provider refuses the content) (default: ${DEFAULT_FALLBACK_CLASSES.join(',')})`,
      },
      { flags: '--remove <model>', about: 'remove a fallback model' },
    ],
    input: inputSchema,
    examples: [
      'tollgate model fallbacks gpt-5-mini',
      'tollgate model fallbacks gpt-5-mini --add claude-haiku-4-5 --on failure,context',
      'tollgate model fallbacks gpt-5-mini --remove claude-haiku-4-5',
    ],
    run: async ({ id, add, on, remove }, { env, clock }) => {
      if (on !== undefined && add === undefined)
        throw new Failure('missing_option', '--on needs --add with the fallback model.');
      const fallbacks = await withInstallation(env, async ({ db }) => {
        await getModel(db, id, new Date(clock.nowMs()));
        if (remove !== undefined) await removeFrom(db, id, remove);
        if (add !== undefined) await addTo(db, id, { modelId: add, classes: on ?? DEFAULT_FALLBACK_CLASSES });
        return (await listFallbackModels(db)).get(id) ?? [];
      });
      return { json: { id, fallbacks }, text: getText(id, fallbacks) };
    },
  });
}

async function addTo(db: Connection, modelId: string, { modelId: fallbackId, classes }: FallbackModel) {
  const added = await putFallbackModel(db, { modelId, fallbackId, classes, actorUserId: null });
  if (!added.ok) throw denyFallback(added.reason, modelId, fallbackId);
}

async function removeFrom(db: Connection, modelId: string, fallbackId: string) {
  if (!(await removeFallbackModel(db, { modelId, fallbackId, actorUserId: null })))
    throw new Failure('fallback_not_found', `${fallbackId} is not a fallback model of ${modelId}.`);
}

function denyFallback(reason: FallbackDenial, modelId: string, fallbackId: string): Failure {
  switch (reason) {
    case 'unknown_model':
      return modelNotFound(modelId);
    case 'unknown_fallback':
      return modelNotFound(fallbackId);
    case 'same_model':
      return new Failure('same_model', 'A model cannot be its own fallback model.');
    case 'too_many':
      return new Failure('too_many_fallbacks', `A model has at most ${MAX_FALLBACK_MODELS} fallback models.`);
  }
}

function getText(id: string, fallbacks: readonly FallbackModel[]): string {
  if (fallbacks.length === 0) return `${id} has no fallback models.`;
  const rows = fallbacks.map(({ modelId, classes }) => [modelId, classes.join(', ')]);
  return formatTable([{ title: 'FALLBACK MODEL' }, { title: 'TRIED ON' }], rows);
}
