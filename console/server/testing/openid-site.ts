import { createOpenIdProvider } from '../auth/external/openid.ts';
import { createTestConsole, type TestConsole } from './console-fixture.ts';
import { startOpenIdServer, type OpenIdServer } from './openid-server.ts';

const CONSOLE = 'http://127.0.0.1:3000';

/** A console with the sign-in provider "Acme", which is a real OpenID provider. */
export interface OpenIdSite extends AsyncDisposable {
  openId: OpenIdServer;
  site: TestConsole;
}

export async function createOpenIdSite(): Promise<OpenIdSite> {
  const openId = await startOpenIdServer([`${CONSOLE}/sign-in/oidc`]);
  const { issuer, clientId, clientSecret } = openId;
  const site = await createTestConsole({}, null, [
    createOpenIdProvider({ id: 'oidc', label: 'Acme', issuer, clientId, clientSecret }),
  ]);
  return {
    openId,
    site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await openId[Symbol.asyncDispose]();
    },
  };
}
