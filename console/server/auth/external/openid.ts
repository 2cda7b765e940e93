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
  /** False: it ignores the request for a new sign-in, or does not say when it happened. Default: true. */
  provesFreshness?: boolean;
}

const claimsSchema = z.object({
  email: z.email().max(254).optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
});

/** In seconds. */
const authTimeSchema = z.object({
  auth_time: z.number().int().positive().nullable().catch(null).default(null),
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
    provesFreshness: settings.provesFreshness ?? true,
    authorizationUrl: (checks, request) =>
      askProvider(async () =>
        codeRequestUrl(await discover(), { ...request, scope: SCOPE, checks, hasIdToken: true }),
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
        const { auth_time: authTime } = authTimeSchema.parse(claims);
        return {
          issuer: claims.iss,
          subject: claims.sub,
          verifiedEmail: isVerified === true ? (email?.toLowerCase() ?? null) : null,
          authenticatedAtMs: authTime === null ? null : authTime * 1000,
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
