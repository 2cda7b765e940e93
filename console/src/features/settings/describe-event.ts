import type { SecurityEvent } from '../../lib/trpc.ts';

const SENTENCES: Record<string, (about: string | null) => string> = {
  'user.signed_in': () => 'Signed in',
  'user.signed_in_externally': (about) => `Let in by ${nameOf(about, 'a sign-in provider')}`,
  'user.signed_up_externally': (about) => `Signed up with ${nameOf(about, 'a sign-in provider')}`,
  'user.confirmed': () => 'Confirmed again that it is you',
  'user.email_verified': () => 'Verified the e-mail address',
  'user.email_changed': () => 'Changed the e-mail address',
  'user.password_changed': () => 'Changed the password',
  'user.password_reset': () => 'Set a new password by mail',
  'user.two_factor_on': () => 'Turned two-factor sign-in on',
  'user.two_factor_off': () => 'Turned two-factor sign-in off',
  'user.recovery_code_used': () => 'Used a recovery code',
  'user.recovery_codes_replaced': () => 'Made new recovery codes',
  'user.passkey_added': (about) => `Added ${nameOf(about, 'a passkey', 'the passkey')}`,
  'user.passkey_removed': (about) => `Removed ${nameOf(about, 'a passkey', 'the passkey')}`,
  'user.passkey_renamed': () => 'Renamed a passkey',
  'user.identity_linked': (about) => `Linked ${nameOf(about, 'a sign-in provider')}`,
  'user.identity_unlinked': (about) => `Unlinked ${nameOf(about, 'a sign-in provider')}`,
  'user.session_ended': () => 'Signed out another session',
  'user.other_sessions_ended': () => 'Signed out all other sessions',
  'user.sessions_ended': () => 'Signed out everywhere',
  'user.sign_in_reset': () => 'Took off the second factor and the passkeys',
  'user.became_operator': () => 'Became an operator of the installation',
  'user.renamed': () => 'Changed the name',
};

const PROVIDER_NAMES: Record<string, string> = { github: 'GitHub', google: 'Google', oidc: 'single sign-on' };

/** @returns a sentence for known events, else the event's own words: `user.some_thing` → `Some thing` */
export function describeEvent({ action, about }: Pick<SecurityEvent, 'action' | 'about'>): string {
  const describe = Object.hasOwn(SENTENCES, action) ? SENTENCES[action] : undefined;
  if (describe !== undefined) return describe(about);
  const words = action.replace(/^user\./, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function nameOf(about: string | null, unnamed: string, lead = ''): string {
  if (about === null) return unnamed;
  const name = PROVIDER_NAMES[about] ?? about;
  return lead === '' ? name : `${lead} “${name}”`;
}
