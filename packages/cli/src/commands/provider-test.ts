import { listRoutes } from '@tollgate/db/queries/routes';
import { createHttpProvider } from '@tollgate/upstreams/create-provider';
import type { HttpProvider } from '@tollgate/upstreams/provider';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand, type Output } from '../command.ts';
import { Failure } from '../failure.ts';
import { withInstallation, type Installation } from '../installation.ts';
import { counted } from '../output/format.ts';
import { explainFault, explainStatus } from '../provider-probe/explain.ts';
import type { ProbeOutcome } from '../provider-probe/outcome.ts';
import { requestCompletion } from '../provider-probe/request-completion.ts';
import { requestModels } from '../provider-probe/request-models.ts';
import { openCredential } from './provider-credential.ts';
import { getProvider } from './provider-view.ts';

const modelListSchema = z.object({ data: z.array(z.unknown()) });
/** An answer of any dialect, by the member that holds what was said. */
const completionSchema = z.union([
  z.object({ choices: z.array(z.unknown()) }),
  z.object({ content: z.array(z.unknown()) }),
  z.object({ output: z.array(z.unknown()) }),
]);

/** A provider, and the model to ask; null: it is asked for its models instead. */
interface Target {
  provider: HttpProvider;
  model: string | null;
}

export function addProviderTest(provider: Command): void {
  addCommand(provider, {
    usage: 'test <NAME>',
    summary:
      'Make one real call with the stored credential: for the list of models, which costs nothing, or for one word of a model',
    positional: ['name'],
    options: [
      {
        flags: '--model <model>',
        about:
          "the provider's own name of a model to ask for one word; by default that of a route, where it lists none",
      },
    ],
    input: z.object({ name: z.string(), model: z.string().min(1).optional() }),
    examples: ['tollgate provider test openai', 'tollgate provider test openai --model gpt-5-mini'],
    run: async ({ name, model }, { env }) => {
      const target = await withInstallation(env, (installation) =>
        findTarget(installation, name, model ?? null),
      );
      if (target !== null) return test(target);
      return {
        json: { name, url: null, status: null, latencyMs: null, models: null, model: null },
        text: `${name} is built into the api: there is nothing to reach`,
      };
    },
  });
}

/** @returns null for the provider that is built in */
async function findTarget(
  { db, sealer }: Installation,
  name: string,
  model: string | null,
): Promise<Target | null> {
  const found = await getProvider(db, name);
  const { dialect, baseUrl } = found;
  if (dialect === 'demo' || baseUrl === null) return null;
  const provider = createHttpProvider({ ...found, dialect, baseUrl }, openCredential(sealer, found));
  if (model !== null) return { provider, model };
  if (provider.endpoints.models && provider.credential.kind === 'api-key') return { provider, model: null };
  const route = (await listRoutes(db)).find(({ providerName }) => providerName === name);
  if (route !== undefined) return { provider, model: route.upstreamModel ?? route.modelId };
  throw new Failure(
    'model_needed',
    `${name} has no list of models to ask for: name one with --model, or add a route to it first`,
  );
}

async function test({ provider, model }: Target): Promise<Output> {
  const startedMs = performance.now();
  const outcome = await (model === null ? requestModels(provider) : requestCompletion(provider, model));
  const latencyMs = Math.round(performance.now() - startedMs);
  const { url, status, models } = readOutcome(outcome, provider, model);
  const what = models === null ? `an answer of ${model ?? ''}` : counted(models, 'model');
  return {
    json: { name: provider.name, url, status, latencyMs, models, model },
    text: `${provider.name} works: ${url} answered ${status} in ${latencyMs} ms with ${what}`,
  };
}

/** @throws Failure that says what is wrong */
function readOutcome(outcome: ProbeOutcome, provider: HttpProvider, model: string | null) {
  const { url } = outcome;
  if (!outcome.ok) throw explainFault(url, outcome.fault);
  const { status, body } = outcome;
  if (status < 200 || status > 299) throw explainStatus({ url, status, body }, provider, model);
  const list = modelListSchema.safeParse(parseJson(body));
  if (model === null && list.success) return { url, status, models: list.data.data.length };
  if (model !== null && completionSchema.safeParse(parseJson(body)).success)
    return { url, status, models: null };
  throw new Failure(
    'provider_unexpected_answer',
    `${url} answered ${status}, but with no ${model === null ? 'list of models' : 'completion'}: is the base URL right?`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
