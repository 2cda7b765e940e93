/** Calls the api over plain HTTP, like curl. */
export interface CallOptions {
  secret?: string | null;
  headers?: Record<string, string>;
}

/** Posts JSON; a string is sent unchanged. */
export function post(url: string, body: unknown, { secret, headers }: CallOptions = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization(secret), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export function get(url: string, { secret, headers }: CallOptions = {}): Promise<Response> {
  return fetch(url, { headers: { ...authorization(secret), ...headers } });
}

function authorization(secret: string | null | undefined): Record<string, string> {
  return secret === null || secret === undefined ? {} : { authorization: `Bearer ${secret}` };
}

/** The JSON of a response, typed as the test expects. */
export async function readJson<Shape>(response: Response | Promise<Response>): Promise<Shape> {
  return JSON.parse(await (await response).text());
}

/** The members of an error that tests read, in either dialect. */
export interface ErrorBody {
  error: { type: string; message: string; param?: string | null; code?: string };
}
