import { TESTED_ENDPOINTS, type TestedEndpoint } from '../../tested-endpoints.ts';
import type { Trial } from './trial.ts';

/** Beyond all timeouts of the gateway together. */
const HANG_MS = 45_000;
const TOOL = { type: 'object', properties: { city: { type: 'string' } } };

/** What a caller received. */
export interface Seen {
  /** 0: no response. */
  status: number;
  requestId: string;
  text: string;
  /** How the connection broke; null: it did not. */
  broken: string | null;
}

export function getEndpoint({ cell }: Trial): TestedEndpoint {
  const found = TESTED_ENDPOINTS.find(({ dialect }) => dialect === cell.endpoint);
  if (found === undefined) throw new Error(`There is no endpoint for ${cell.endpoint}`);
  return found;
}

export async function ask(
  trial: Trial,
  { baseUrl, secret }: { baseUrl: string; secret: string },
): Promise<Seen> {
  const endpoint = getEndpoint(trial);
  const seen: Seen = { status: 0, requestId: '', text: '', broken: null };
  try {
    const response = await fetch(baseUrl + endpoint.path, {
      method: 'POST',
      headers: endpoint.headers(secret),
      body: JSON.stringify(getBody(trial)),
      signal: AbortSignal.timeout(HANG_MS),
    });
    seen.status = response.status;
    seen.requestId = response.headers.get('x-request-id') ?? '';
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for await (const chunk of response.body ?? [])
      seen.text += decoder.decode(chunk as Uint8Array, { stream: true });
    seen.text += decoder.decode();
  } catch (error) {
    const isHang = error instanceof Error && error.name === 'TimeoutError';
    seen.broken = isHang ? 'hang' : String(error);
  }
  return seen;
}

function getBody({ id, cell, fault }: Trial): object {
  const common = { model: id, stream: cell.isStream };
  const said = { role: 'user', content: 'Count.' };
  const hasTools = (fault.said?.calls ?? []).length > 0;
  switch (cell.endpoint) {
    case 'openai-chat':
      return {
        ...common,
        messages: [said],
        ...(cell.isStream && { stream_options: { include_usage: true } }),
        ...(hasTools && {
          tools: [{ type: 'function', function: { name: 'get_weather', parameters: TOOL } }],
        }),
      };
    case 'anthropic-messages':
      return {
        ...common,
        max_tokens: 500,
        messages: [said],
        ...(hasTools && { tools: [{ name: 'get_weather', input_schema: TOOL }] }),
      };
    case 'openai-responses':
      return {
        ...common,
        input: [said],
        ...(hasTools && {
          tools: [{ type: 'function', name: 'get_weather', parameters: TOOL, strict: false }],
        }),
      };
  }
}
