import {
  findCredential,
  listCredentials,
  type ProviderCredentialRow,
} from '@tollgate/db/queries/providers/provider-credentials';
import type { Provider } from '@tollgate/db/queries/providers/providers';
import type { Connection } from '@tollgate/db/transaction';
import { Failure } from '../../failure.ts';
import { iso, moment } from '../../output/format.ts';
import { credentialSource, getProvider } from './provider-view.ts';

/** Never includes the credential itself. */
export function credentialJson(provider: Provider, credential: ProviderCredentialRow) {
  const { id, label, weight, setAsideAt, setAsideCause, setAsideMessage, createdAt } = credential;
  return {
    id,
    label,
    weight,
    credential: id === provider.id ? credentialSource(provider) : 'stored',
    setAside:
      setAsideAt === null ? null : { at: iso(setAsideAt), cause: setAsideCause, message: setAsideMessage },
    createdAt: iso(createdAt),
  };
}

/** `no credit, since 2026-11-27T00:00:00.000Z: Your credit balance is too low`. */
export function stateText({ setAsideAt, setAsideCause, setAsideMessage }: ProviderCredentialRow): string {
  if (setAsideAt === null) return 'in use';
  const cause = setAsideCause === 'no_credit' ? 'no credit' : 'refused';
  return `set aside, ${cause}, since ${moment(setAsideAt)}${setAsideMessage === null ? '' : `: ${setAsideMessage}`}`;
}

/** @throws Failure if there is no such provider, or it has no credential of this label */
export async function getCredential(
  db: Connection,
  { name, label }: { name: string; label: string },
): Promise<{ provider: Provider; credential: ProviderCredentialRow }> {
  const provider = await getCredentialProvider(db, name);
  const credential = await findCredential(db, { providerId: provider.id, label });
  if (credential !== null) return { provider, credential };
  const labels = (await listCredentials(db, provider.id)).map((each) => each.label).join(', ');
  throw new Failure('credential_not_found', `${name} has no credential ${label}. It has: ${labels}.`);
}

/** @throws Failure if there is no such provider, or it is the demo provider */
export async function getCredentialProvider(db: Connection, name: string): Promise<Provider> {
  const provider = await getProvider(db, name);
  if (provider.dialect === 'demo')
    throw new Failure('provider_built_in', `${name} is built into the API and has no credentials.`);
  return provider;
}
