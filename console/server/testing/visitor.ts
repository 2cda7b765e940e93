import { createTRPCClient, httpBatchLink, TRPCClientError, type TRPCClient } from '@trpc/client';
import type { AppRouter } from '../router.ts';

export interface VisitorOptions {
  /** Where the connection comes from. */
  remoteAddress?: string;
  /** Headers on each request; `origin` replaces the console's own, '' leaves it out. */
  headers?: Record<string, string>;
}

/** A browser: the console's own client, with cookies as a browser keeps them. */
export interface Visitor {
  client: TRPCClient<AppRouter>;
  cookies: Map<string, string>;
  /** The `Set-Cookie` lines of the last answer. */
  lastSetCookies: string[];
  get(path: string, headers?: Record<string, string>): Promise<Response>;
}

interface Site {
  fetch(request: Request, remoteAddress: string): Promise<Response>;
  publicConsoleUrl: string;
}

let lastHost = 0;

/** Each visitor gets a separate address if none is given, so that attempts are counted separately. */
export function createVisitor(site: Site, options: VisitorOptions = {}): Visitor {
  lastHost += 1;
  const address = options.remoteAddress ?? `203.0.${Math.floor(lastHost / 250)}.${(lastHost % 250) + 1}`;
  const cookies = new Map<string, string>();

  async function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    if (request.method === 'POST') request.headers.set('origin', site.publicConsoleUrl);
    for (const [name, value] of Object.entries(options.headers ?? {})) request.headers.set(name, value);
    if (options.headers?.['origin'] === '') request.headers.delete('origin');
    if (cookies.size > 0)
      request.headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await site.fetch(request, address);
    visitor.lastSetCookies = response.headers.getSetCookie();
    for (const line of visitor.lastSetCookies) keep(cookies, line);
    return response;
  }

  const visitor: Visitor = {
    client: createTRPCClient<AppRouter>({
      links: [
        httpBatchLink({
          url: `${site.publicConsoleUrl}/trpc`,
          fetch: async (url, init) =>
            send(url, {
              method: init?.method ?? 'GET',
              ...(typeof init?.body === 'string' && { body: init.body }),
              headers: { 'content-type': 'application/json' },
            }),
        }),
      ],
    }),
    cookies,
    lastSetCookies: [],
    get: async (path, headers = {}) => send(site.publicConsoleUrl + path, { headers }),
  };
  return visitor;
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const [name = '', ...value] = pair.split('=');
  if (attributes.some((attribute) => attribute.toLowerCase() === 'max-age=0')) cookies.delete(name);
  else cookies.set(name, value.join('='));
}

/** A refusal as the browser receives it. */
export interface Refusal {
  message: string;
  code: string;
  reason: string | null;
  field: string | null;
  retryAfterSeconds: number | null;
  zodIssues: { path: string; message: string }[] | null;
}

/** Awaits a refusal. @throws Error if the call went through, or broke in another way */
export async function getRefusal(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    if (!isRouterError(error) || error.data === null || error.data === undefined) throw error;
    const { code, reason, field, retryAfterSeconds, zodIssues } = error.data;
    return { message: error.message, code, reason, field, retryAfterSeconds, zodIssues };
  }
  throw new Error('The call was not refused');
}

function isRouterError(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError;
}
