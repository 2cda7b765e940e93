import type { Client } from '@tollgate/core/clients/client';
import { z } from 'zod';

const LIMIT_MS = 60_000;
/** Not the client's own: the console shows when the client itself sends its first request. */
const USER_AGENT = 'tollgate-connect/1.0';

/** The result of one request in the client's API format. */
export type FirstRequest =
  | {
      ok: true;
      model: string;
      status: number;
      latencyMs: number;
      costUsd: string | null;
      requestId: string | null;
    }
  | {
      ok: false;
      model: string;
      /** null: no response. */
      status: number | null;
      message: string;
      /** What to do next. */
      fix: string;
      requestId: string | null;
    };

interface FirstRequestInput {
  baseUrl: string;
  endpoint: Client['endpoint'];
  key: string;
  model: string;
}

/** Sends one short request as the client would. Never throws: a failure says what to do. */
export async function sendFirstRequest({
  baseUrl,
  endpoint,
  key,
  model,
}: FirstRequestInput): Promise<FirstRequest> {
  const startedMs = performance.now();
  try {
    const response = await fetch(baseUrl.replace(/\/v1$/, endpoint), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'user-agent': USER_AGENT,
      },
      body: JSON.stringify(BODIES[endpoint](model)),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    const body = await response.text();
    const latencyMs = Math.round(performance.now() - startedMs);
    const { status, headers } = response;
    const requestId = headers.get('x-request-id') ?? headers.get('request-id');
    if (response.ok)
      return { ok: true, model, status, latencyMs, costUsd: headers.get('x-tollgate-cost'), requestId };
    return { ok: false, model, status, message: readMessage(body), fix: getFix(status), requestId };
  } catch (error) {
    return {
      ok: false,
      model,
      status: null,
      message: describe(error),
      fix: getUnreachableFix(baseUrl),
      requestId: null,
    };
  }
}

const HELLO = [{ role: 'user', content: 'Say hello.' }];
const BODIES: Readonly<Record<Client['endpoint'], (model: string) => object>> = {
  '/v1/chat/completions': (model) => ({ model, messages: HELLO }),
  '/v1/messages': (model) => ({ model, max_tokens: 256, messages: HELLO }),
  '/v1/responses': (model) => ({ model, input: 'Say hello.', store: false }),
};

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

function readMessage(body: string): string {
  try {
    return errorSchema.parse(JSON.parse(body)).error.message;
  } catch {
    return 'the response is not from Tollgate';
  }
}

function getFix(status: number): string {
  switch (status) {
    case 401:
      return 'Create a key with --create-key --account <email>, or pass another one with --key -.';
    case 402:
      return "Add money to the account's balance, or use a key with more budget.";
    case 403:
      return 'Choose a model that the key and the plan allow with --model.';
    case 404:
      return 'Choose a model with --model; `tollgate model list` lists them. Check that PUBLIC_API_URL is the address of the api.';
    case 429:
      return 'Wait for the time that the message names, or use a key with higher limits.';
    case 400:
      return 'Choose another model with --model.';
    default:
      return 'Test the provider with `tollgate provider test <NAME>`, or choose another model with --model.';
  }
}

function getUnreachableFix(baseUrl: string): string {
  return `Start Tollgate, or set PUBLIC_API_URL to the address of its api. Used: ${baseUrl}`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${LIMIT_MS / 1000} s`;
  const { cause } = error;
  if (!(cause instanceof Error)) return `the api cannot be reached (${error.message})`;
  // A refused connection to several addresses is an AggregateError without a message.
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  return cause.message === '' ? code : cause.message;
}
