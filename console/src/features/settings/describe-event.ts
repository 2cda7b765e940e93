import type { SecurityEvent } from '../../lib/trpc.ts';

const SENTENCES: Record<string, (about: string | null) => string> = {
  'user.signed_in': () => 'Signed in',
  'user.signed_in_externally': (about) => `Signed in with ${getName(about, 'a sign-in provider')}`,
  'user.signed_up_externally': (about) => `Signed up with ${getName(about, 'a sign-in provider')}`,
  'user.confirmed': () => 'Confirmed identity',
  'user.email_verified': () => 'Verified email address',
  'user.email_changed': () => 'Changed email address',
  'user.password_changed': () => 'Changed password',
  'user.password_reset': () => 'Reset password by email',
  'user.two_factor_on': () => 'Turned on two-factor authentication',
  'user.two_factor_off': () => 'Turned off two-factor authentication',
  'user.recovery_code_used': () => 'Used a recovery code',
  'user.recovery_codes_replaced': () => 'Generated new recovery codes',
  'user.passkey_added': (about) => `Added ${getName(about, 'a passkey', 'the passkey')}`,
  'user.passkey_removed': (about) => `Removed ${getName(about, 'a passkey', 'the passkey')}`,
  'user.passkey_renamed': () => 'Renamed a passkey',
  'user.identity_linked': (about) => `Linked ${getName(about, 'a sign-in provider')}`,
  'user.identity_unlinked': (about) => `Unlinked ${getName(about, 'a sign-in provider')}`,
  'user.session_ended': () => 'Signed out another session',
  'user.other_sessions_ended': () => 'Signed out all other sessions',
  'user.sessions_ended': () => 'Signed out everywhere',
  'user.sign_in_reset': () => 'Removed second factor and passkeys',
  'user.became_operator': () => 'Became an operator',
  'user.renamed': () => 'Changed name',
};

const PROVIDER_NAMES: Record<string, string> = { github: 'GitHub', google: 'Google', oidc: 'single sign-on' };

/** @returns a sentence for known events, else the event's own words: `user.some_thing` → `Some thing` */
export function describeEvent({ action, about }: Pick<SecurityEvent, 'action' | 'about'>): string {
  const describe = Object.hasOwn(SENTENCES, action) ? SENTENCES[action] : undefined;
  if (describe !== undefined) return describe(about);
  const words = action.replace(/^user\./, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function getName(about: string | null, unnamed: string, lead = ''): string {
  if (about === null) return unnamed;
  const name = PROVIDER_NAMES[about] ?? about;
  return lead === '' ? name : `${lead} “${name}”`;
}
