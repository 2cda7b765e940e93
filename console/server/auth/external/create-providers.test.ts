import { expect, it } from 'vitest';
import { createExternalProviders } from './create-providers.ts';

const client = { clientId: 'id', clientSecret: 'secret' };

it('re-authenticates only at the OpenID Connect provider of the operator', () => {
  const oidc = { ...client, issuer: 'https://id.example.com', label: 'Acme' };
  const providers = createExternalProviders({ github: client, google: client, oidc });
  expect(providers.map(({ id, provesFreshness }) => [id, provesFreshness])).toEqual([
    ['oidc', true],
    ['google', false],
    ['github', false],
  ]);
});

it('offers only providers that are set up', () => {
  expect(createExternalProviders({ github: null, google: client, oidc: null }).map(({ id }) => id)).toEqual([
    'google',
  ]);
});
