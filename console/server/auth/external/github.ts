import {
  allowInsecureRequests,
  ClientSecretPost,
  Configuration,
  fetchProtectedResource,
} from 'openid-client';
import { z } from 'zod';
import { askProvider, codeRequestUrl, exchangeCode, TIMEOUT_SECONDS } from './authorization-code.ts';
import type { ExternalProvider } from './provider.ts';

const SCOPE = 'read:user user:email';

export interface GitHubSettings {
  clientId: string;
  clientSecret: string;
  /** For tests: the addresses of the website and of the API. */
  site?: string;
  api?: string;
}

const userSchema = z.object({ id: z.int().positive() });
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub speaks OAuth 2 without OpenID: https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
export function createGitHubProvider({
  clientId,
  clientSecret,
  site = 'https://github.com',
  api = 'https://api.github.com',
}: GitHubSettings): ExternalProvider {
  const server = {
    issuer: site,
    authorization_endpoint: `${site}/login/oauth/authorize`,
    token_endpoint: `${site}/login/oauth/access_token`,
  };
  const config = new Configuration(server, clientId, undefined, ClientSecretPost(clientSecret));
  config.timeout = TIMEOUT_SECONDS;
  if (site.startsWith('http:')) allowInsecureRequests(config);
  const read = async (token: string, path: string): Promise<unknown> => {
    const headers = new Headers({ accept: 'application/vnd.github+json' });
    const answer = await fetchProtectedResource(config, token, new URL(api + path), 'GET', null, headers);
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status} on ${path}`);
    return answer.json();
  };
  return {
    id: 'github',
    label: 'GitHub',
    provesFreshness: false,
    authorizationUrl: (checks, { redirectUri }) =>
      askProvider(() =>
        codeRequestUrl(config, { scope: SCOPE, redirectUri, checks, hasIdToken: false, isFresh: false }),
      ),
    identify: (callbackUrl, checks) =>
      askProvider(async () => {
        const { access_token: token } = await exchangeCode(config, callbackUrl, {
          checks,
          hasIdToken: false,
        });
        const [user, emails] = await Promise.all([read(token, '/user'), read(token, '/user/emails')]);
        const main = emailsSchema.parse(emails).find(({ primary, verified }) => primary && verified);
        return {
          issuer: site,
          subject: String(userSchema.parse(user).id),
          verifiedEmail: main?.email.toLowerCase() ?? null,
          authenticatedAtMs: null,
        };
      }),
  };
}
