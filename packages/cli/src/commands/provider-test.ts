import { createHttpProvider } from '@tollgate/upstreams/create-provider';
import { addressOf, providerHeaders } from '@tollgate/upstreams/provider-request';
import type { HttpProvider } from '@tollgate/upstreams/provider';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand, type Output } from '../command.ts';
import { Failure } from '../failure.ts';
import { withInstallation } from '../installation.ts';
import { counted } from '../output/format.ts';
import { openCredential } from './provider-credential.ts';
import { getProvider } from './provider-view.ts';

const TIMEOUT_MS = 10_000;
const modelListSchema = z.object({ data: z.array(z.unknown()) });

export function addProviderTest(provider: Command): void {
  addCommand(provider, {
    usage: 'test <NAME>',
    summary:
      'Ask a provider for its models with the stored credential: one real request, which costs nothing',
    positional: ['name'],
    input: z.object({ name: z.string() }),
    examples: ['tollgate provider test openai'],
    run: async ({ name }, { env }) => {
      const target = await withInstallation(env, async ({ db, sealer }): Promise<HttpProvider | null> => {
        const found = await getProvider(db, name);
        const { dialect, baseUrl } = found;
        if (dialect === 'demo' || baseUrl === null) return null;
        return createHttpProvider({ ...found, dialect, baseUrl }, openCredential(sealer, found));
      });
      if (target !== null) return probe(target);
      return {
        json: { name, url: null, status: null, latencyMs: null, models: null },
        text: `${name} is built into the api: there is nothing to reach`,
      };
    },
  });
}

async function probe(provider: HttpProvider): Promise<Output> {
  const { origin, path } = addressOf(provider, '/models');
  const url = `${origin}${path}`;
  const startedMs = performance.now();
  const response = await ask(url, provider);
  const latencyMs = Math.round(performance.now() - startedMs);
  if (!response.ok) throw refused(url, response, await response.text());
  const models = modelListSchema.safeParse(await response.json().catch(() => null));
  if (!models.success)
    throw new Failure(
      'provider_unexpected_answer',
      `${url} answered ${response.status}, but with no list of models: is the base URL right?`,
    );
  const count = models.data.data.length;
  return {
    json: { name: provider.name, url, status: response.status, latencyMs, models: count },
    text: `${provider.name} works: ${url} answered ${response.status} in ${latencyMs} ms with ${counted(count, 'model')}`,
  };
}

async function ask(url: string, provider: HttpProvider): Promise<Response> {
  try {
    return await fetch(url, {
      headers: providerHeaders(provider),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    throw new Failure('provider_unreachable', `${url} cannot be reached: ${reasonOf(error)}`);
  }
}

/** fetch hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name is not known to DNS';
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  return cause.message;
}

function refused(url: string, { status }: Response, body: string): Failure {
  const said = body.trim() === '' ? '' : ` It says: ${body.trim().replaceAll(/\s+/g, ' ').slice(0, 200)}`;
  if (status === 401 || status === 403)
    return new Failure(
      'provider_refused_credential',
      `${url} answered ${status}: the key is not accepted.${said}`,
    );
  if (status === 404)
    return new Failure(
      'provider_unexpected_answer',
      `${url} answered 404: the base URL is what comes before /models, and mostly ends with /v1.${said}`,
    );
  return new Failure('provider_unexpected_answer', `${url} answered ${status}.${said}`);
}
