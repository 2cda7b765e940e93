import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';

const SCOPE = 'openid email profile';

/** The user signed in at the provider; null: every sign-in is denied. */
export interface ProviderPerson {
  subject: string;
  email: string;
  isEmailVerified: boolean;
}

/** A real OpenID provider. Its page answers automatically for `person`, or asks who is there. */
export interface OpenIdServer extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  person: ProviderPerson | null;
  /**
   * Acts as the browser at the provider.
   * @param cookies of an earlier visit, if the provider should recognize the browser
   * @returns the redirect target
   */
  visit(url: string, cookies?: Map<string, string>): Promise<URL>;
}

/**
 * @param redirectUris of the console; the provider redirects to no other
 * @param asks true: a page with a form asks for the email, for tests in a browser
 */
export async function startOpenIdServer(redirectUris: string[], asks = false): Promise<OpenIdServer> {
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => undefined;
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${getPort(server.address())}`;
  const [clientId, clientSecret] = ['tollgate', randomBytes(16).toString('hex')];
  const known = new Map<string, ProviderPerson>();
  const provider = createProvider({ issuer, clientId, clientSecret, redirectUris, known });
  const answer = provider.callback();
  handle = async (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return answer(request, response);
    const details = await provider.interactionDetails(request, response);
    if (asks && details.prompt.name === 'login' && request.method === 'GET') return sendForm(response);
    const person =
      asks && request.method === 'POST'
        ? await readForm(request)
        : (known.get(details.session?.accountId ?? '') ?? self.person);
    if (person === null) {
      const error = { error: 'access_denied', error_description: 'No' };
      return provider.interactionFinished(request, response, error);
    }
    known.set(person.subject, person);
    if (details.prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: person.subject } });
    const grant = new provider.Grant({ accountId: person.subject, clientId });
    grant.addOIDCScope(SCOPE);
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  };
  const self: OpenIdServer = {
    issuer,
    clientId,
    clientSecret,
    person: null,
    visit: (url, cookies = new Map()) => followTo(url, redirectUris, cookies),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}

function sendForm(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>
    <html lang="en"><title>Acme</title><h1>Acme</h1><form method="post">
      <label>Email <input name="email" type="email"></label>
      <label><input name="verified" type="checkbox" checked> Verified</label>
      <button name="answer" value="yes">Go on</button> <button name="answer" value="no">Cancel</button>
    </form></html>`);
}

/** @returns null if the person said no */
async function readForm(request: IncomingMessage): Promise<ProviderPerson | null> {
  const form = new URLSearchParams(await text(request));
  if (form.get('answer') !== 'yes') return null;
  const email = form.get('email') ?? '';
  return { subject: email, email, isEmailVerified: form.has('verified') };
}

interface ProviderOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUris: string[];
  known: ReadonlyMap<string, ProviderPerson>;
}

function createProvider({ issuer, clientId, clientSecret, redirectUris, known }: ProviderOptions): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
    claims: { email: ['email', 'email_verified'] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    pkce: { required: () => true },
    findAccount: (_, subject) => {
      const person = known.get(subject);
      if (person === undefined) return undefined;
      const { email, isEmailVerified } = person;
      return {
        accountId: subject,
        claims: () => ({ sub: subject, email, email_verified: isEmailVerified }),
      };
    },
  });
  return provider;
}

/** Follows redirects, with cookies, until one leads to the console. */
async function followTo(start: string, ends: readonly string[], cookies: Map<string, string>): Promise<URL> {
  let url = new URL(start);
  for (let hop = 0; hop < 10; hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    await response.arrayBuffer();
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The provider answered ${response.status} on ${url.pathname}`);
    url = new URL(location, url);
    if (ends.includes(url.origin + url.pathname)) return url;
  }
  throw new Error('The provider redirects for ever');
}

function getPort(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('The provider listens on no port');
  return address.port;
}
