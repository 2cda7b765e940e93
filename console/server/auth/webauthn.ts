import type { ConsoleSettings } from '../deps.ts';
import { deny } from '../denial.ts';
import { getRelyingParty, type RelyingParty } from './relying-party.ts';

/** The library, with the parsers of certificates that it brings, is loaded by the first passkey and not before. */
export function webauthn() {
  return import('@simplewebauthn/server');
}

/** @throws BAD_REQUEST if passkeys cannot be used under the installation's address */
export function requireRelyingParty(settings: Pick<ConsoleSettings, 'publicConsoleUrl'>): RelyingParty {
  const party = getRelyingParty(settings.publicConsoleUrl);
  if (party === null) throw deny('BAD_REQUEST', 'Passkeys require a host name and HTTPS.');
  return party;
}
