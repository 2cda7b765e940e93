import { z } from 'zod';
import type { HttpProvider } from '../provider.ts';
import { explainFailure } from './explain-failure.ts';
import { explainStatus, type ProbeDenial } from './explain.ts';
import type { ProbeOutcome } from './outcome.ts';
import { requestCompletion } from './request-completion.ts';
import { requestModels } from './request-models.ts';

const modelListSchema = z.object({ data: z.array(z.unknown()) });
const listedModelSchema = z.object({ id: z.string().min(1).max(200) });
/** IDs beyond this are left out: they are suggestions. */
const MAX_MODEL_IDS = 500;
/** A response of any dialect, by the member that holds its content. */
const completionSchema = z.union([
  z.object({ choices: z.array(z.unknown()) }),
  z.object({ content: z.array(z.unknown()) }),
  z.object({ output: z.array(z.unknown()) }),
]);

interface ProbeAnswer {
  url: string;
  status: number;
  latencyMs: number;
  /** Number of listed models; null: a completion was requested. */
  models: number | null;
  /** The first 500 IDs of listed models, sorted. */
  modelIds: string[];
  /** The model of the completion; null: models were listed. */
  model: string | null;
}

export type ProbeResult = ({ ok: true } & ProbeAnswer) | ({ ok: false } & ProbeDenial);

/**
 * Makes one real call with the api's transport and credential: lists the models, which is free, or requests a one-word
 * completion.
 * @param models upstream model IDs: `asked` is used if given, `routed` if the provider lists no models
 */
export async function probeProvider(
  provider: HttpProvider,
  models: { asked: string | null; routed: string | null },
): Promise<ProbeResult> {
  const hasList = provider.endpoints.models && provider.credential.kind === 'api-key';
  const model = models.asked ?? (hasList ? null : models.routed);
  if (model === null && !hasList)
    return {
      ok: false,
      code: 'model_needed',
      message: `${provider.name} has no list of models to ask for: name a model of it, or add a route to it first`,
    };
  const startedMs = performance.now();
  const outcome = await (model === null ? requestModels(provider) : requestCompletion(provider, model));
  const latencyMs = Math.round(performance.now() - startedMs);
  return readOutcome(outcome, { provider, model, latencyMs });
}

function readOutcome(
  outcome: ProbeOutcome,
  call: { provider: HttpProvider; model: string | null; latencyMs: number },
): ProbeResult {
  const { url } = outcome;
  const { provider, model, latencyMs } = call;
  if (!outcome.ok) return { ok: false, ...explainFailure(url, outcome.failure) };
  const { status, body } = outcome;
  if (status < 200 || status > 299)
    return { ok: false, ...explainStatus({ url, status, body }, provider, model) };
  const answer = { ok: true, url, status, latencyMs, model } as const;
  const list = modelListSchema.safeParse(parseJson(body));
  if (model === null && list.success) {
    const { data } = list.data;
    return { ...answer, models: data.length, modelIds: readModelIds(data) };
  }
  if (model !== null && completionSchema.safeParse(parseJson(body)).success)
    return { ...answer, models: null, modelIds: [] };
  return {
    ok: false,
    code: 'provider_unexpected_answer',
    message: `${url} answered ${status}, but with no ${model === null ? 'list of models' : 'completion'}: is the base URL right?`,
  };
}

function readModelIds(listed: readonly unknown[]): string[] {
  const ids = listed.flatMap((model) => listedModelSchema.safeParse(model).data?.id ?? []);
  return [...new Set(ids)].toSorted().slice(0, MAX_MODEL_IDS);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
