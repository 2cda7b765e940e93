import type { IdentityProvider } from '@tollgate/db/queries/users/identities';
import { allowInsecureRequests, discovery, fetchUserInfo, type Configuration } from 'openid-client';
import { z } from 'zod';
import { askProvider, codeRequestUrl, exchangeCode, TIMEOUT_SECONDS } from './authorization-code.ts';
import type { ExternalProvider } from './provider.ts';

const SCOPE = 'openid email profile';

export interface OpenIdSettings {
  id: IdentityProvider;
  label: string;
  /** Where its configuration is found: https://openid.net/specs/openid-connect-discovery-1_0.html */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

const claimsSchema = z.object({
  email: z.email().max(254).optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
});

/** A provider that speaks OpenID Connect. Its configuration is read at the first sign-in, and again after a failure. */
export function createOpenIdProvider(settings: OpenIdSettings): ExternalProvider {
  let found: Promise<Configuration> | null = null;
  const discover = async () => {
    found ??= readConfiguration(settings);
    try {
      return await found;
    } catch (error) {
      found = null;
      throw error;
    }
  };
  return {
    id: settings.id,
    label: settings.label,
    authorizationUrl: (checks, redirectUri) =>
      askProvider(async () =>
        codeRequestUrl(await discover(), { scope: SCOPE, redirectUri, checks, hasIdToken: true }),
      ),
    identify: (callbackUrl, checks) =>
      askProvider(async () => {
        const config = await discover();
        const tokens = await exchangeCode(config, callbackUrl, { checks, hasIdToken: true });
        const claims = tokens.claims();
        if (claims === undefined) throw new Error('The provider sent no ID token');
        // Many providers return the address only from this endpoint.
        const userInfo =
          claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
            ? await fetchUserInfo(config, tokens.access_token, claims.sub)
            : claims;
        const { email, email_verified: isVerified } = claimsSchema.parse(userInfo);
        return {
          issuer: claims.iss,
          subject: claims.sub,
          verifiedEmail: isVerified === true ? (email?.toLowerCase() ?? null) : null,
        };
      }),
  };
}

async function readConfiguration({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<Configuration> {
  const server = new URL(issuer);
  const isLocal = server.protocol === 'http:' && LOOPBACK.has(server.hostname);
  return discovery(server, clientId, clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    // Secrets go over plain HTTP to nowhere but this machine.
    execute: isLocal ? [allowInsecureRequests] : [],
  });
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
