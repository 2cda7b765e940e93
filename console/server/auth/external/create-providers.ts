import { createGitHubProvider } from './github.ts';
import { createOpenIdProvider } from './openid.ts';
import type { ExternalProvider } from './provider.ts';

interface Client {
  clientId: string;
  clientSecret: string;
}

/** What the operator has set up; null: not this one. */
export interface ExternalSettings {
  github: Client | null;
  google: Client | null;
  oidc: (Client & { issuer: string; label: string }) | null;
}

const GOOGLE_ISSUER = 'https://accounts.google.com';

/** The providers that people may sign in with, in the order of their buttons. */
export function createExternalProviders({ github, google, oidc }: ExternalSettings): ExternalProvider[] {
  const providers: ExternalProvider[] = [];
  if (oidc !== null) providers.push(createOpenIdProvider({ id: 'oidc', ...oidc }));
  if (google !== null)
    providers.push(
      // Google documents neither `prompt=login` nor the time of the sign-in:
      // https://developers.google.com/identity/openid-connect/openid-connect#authenticationuriparameters
      createOpenIdProvider({
        id: 'google',
        label: 'Google',
        issuer: GOOGLE_ISSUER,
        provesFreshness: false,
        ...google,
      }),
    );
  if (github !== null) providers.push(createGitHubProvider(github));
  return providers;
}
