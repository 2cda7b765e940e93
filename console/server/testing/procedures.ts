import type { Role } from '@tollgate/core/people/roles';
import { OPEN_SCOPE } from '@tollgate/testing/factories';

/** What the input of a procedure may name; another account's are as good as none. */
export interface Things {
  keyId: string;
  requestId: string;
  userId: string;
  invitationId: string;
}

type Input = (things: Things) => Record<string, unknown>;

/** What a procedure asks of its caller, and an input that it would take. */
export type Requirement =
  | {
      needs: 'nothing' | 'session' | 'verified' | 'confirmed' | 'operator' | 'confirmed_operator';
      input: Record<string, unknown>;
    }
  | { needs: 'role'; least: Role; isVerified: boolean; isConfirmed: boolean; input: Input };

const of =
  (needs: Exclude<Requirement['needs'], 'role'>) =>
  (input: Record<string, unknown> = {}): Requirement => ({ needs, input });
const atLeast =
  (least: Role, { isVerified = false, isConfirmed = false } = {}) =>
  (input: Input = () => ({})): Requirement => ({ needs: 'role', least, isVerified, isConfirmed, input });

/** May be called without a session. */
const nothing = of('nothing');
const session = of('session');
/** With a verified email. */
const verified = of('verified');
/** Having shown the password or a passkey again a moment ago. */
const confirmed = of('confirmed');
const operator = of('operator');
/** A session that re-authenticated a moment ago. */
const confirmedOperator = of('confirmed_operator');
const viewer = atLeast('viewer');
const member = atLeast('member');
const admin = atLeast('admin');
const verifiedMember = atLeast('member', { isVerified: true });
const verifiedAdmin = atLeast('admin', { isVerified: true });
const confirmedAdmin = atLeast('admin', { isVerified: true, isConfirmed: true });
const confirmedOwner = atLeast('owner', { isVerified: true, isConfirmed: true });

const SPAN = { span: { kind: 'days', days: 7 }, bucket: 'day', timeZone: 'Europe/Berlin' };
const CREDENTIAL = {
  id: 'AA',
  rawId: 'AA',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'AA', attestationObject: 'AA', authenticatorData: 'AA', signature: 'AA' },
};

/** Every procedure of the console, one per line. The test in `../router.test.ts` fails if one is missing. */
export const PROCEDURES: Record<string, Requirement> = {
  'session.get': nothing(),
  'session.chooseAccount': viewer(),
  'settings.setDisplay': session(),
  'sessions.confirmationMethods': session(),
  'sessions.sendConfirmationCode': session(),
  'sessions.confirmByCode': session({ code: '000000' }),
  'external.startConfirm': session({ provider: 'oidc' }),
  'team.joinAtSignIn': nothing({ token: 'none' }),
  'team.joinWithPassword': nothing({ token: 'none' }),
  'auth.operatorLink': nothing({ token: 'none' }),
  'auth.signUp': nothing(),
  'auth.verifyEmail': nothing(),
  'auth.resendVerification': nothing(),
  'auth.signIn': nothing(),
  'auth.enterCode': nothing(),
  'auth.signOut': nothing(),
  'auth.requestPasswordReset': nothing(),
  'auth.resetPassword': nothing(),
  'auth.signOutEverywhere': session(),
  'external.start': nothing(),
  'external.finish': nothing(),
  'external.sendConfirmation': nothing(),
  'external.confirm': nothing(),
  'external.linked': verified(),
  'external.startLink': confirmed({ provider: 'github' }),
  'external.unlink': confirmed({ id: 'ident_1' }),
  'settings.profile': session(),
  'settings.securityEvents': session(),
  'settings.setName': session({ name: 'Ada' }),
  'settings.changePassword': session({ currentPassword: 'a password of mine', newPassword: 'another one' }),
  'settings.requestEmailChange': session({ email: 'a@example.com', password: 'a password of mine' }),
  'settings.confirmEmailChange': session({ code: '123456' }),
  'settings.deletion': session(),
  'settings.deleteLogin': confirmed({ email: 'a@example.com', giveUpUsd: '0' }),
  'sessions.list': session(),
  'sessions.end': session({ id: 'ab'.repeat(32) }),
  'sessions.endOthers': session(),
  'sessions.confirm': session({ password: 'a password of mine' }),
  'twoFactor.get': session(),
  'twoFactor.begin': confirmed(),
  'twoFactor.turnOn': confirmed({ code: '123456' }),
  'twoFactor.turnOff': confirmed({ code: '123456' }),
  'twoFactor.remakeRecoveryCodes': confirmed(),
  'passkeys.beginSignIn': nothing(),
  'passkeys.signIn': nothing(),
  'passkeys.list': session(),
  'passkeys.beginAdding': confirmed(),
  'passkeys.add': confirmed({ name: 'Laptop', response: CREDENTIAL }),
  'passkeys.rename': session({ id: 'pk_1', name: 'Laptop' }),
  'passkeys.remove': confirmed({ id: 'pk_1' }),
  'passkeys.beginConfirmation': session(),
  'passkeys.confirm': session({ response: CREDENTIAL }),

  'keys.list': viewer(() => ({ state: 'active' })),
  'keys.tags': viewer(),
  'keys.get': viewer(({ keyId }) => ({ keyId })),
  'keys.windows': viewer(({ keyId }) => ({ keyId })),
  'keys.create': verifiedMember(() => ({ scope: OPEN_SCOPE })),
  'keys.rotate': verifiedMember(({ keyId }) => ({ keyId, rotation: { endsAt: null, keepUsd: '0' } })),
  'keys.setTags': member(({ keyId }) => ({ keyId, tags: ['a'] })),
  'keys.revoke': member(({ keyId }) => ({ keyId })),
  'keys.revokeMany': member(({ keyId }) => ({ keyIds: [keyId] })),
  'models.list': viewer(),
  'models.catalogue': viewer(),
  'playground.start': verifiedMember(),
  'usage.report': viewer(({ keyId }) => ({ ...SPAN, groupBy: 'model', keyId })),
  'usage.spend': viewer(() => ({ timeZone: 'Europe/Berlin' })),
  'usage.month': viewer(),
  'usage.groupTimes': viewer(({ keyId }) => ({ ...SPAN, groupBy: 'model', ids: ['x'], keyId })),
  'usage.topKeys': viewer(() => SPAN),
  'usage.firstSteps': viewer(),
  'requests.list': viewer(({ keyId }) => ({ filter: { key: keyId } })),
  'requests.get': viewer(({ requestId }) => ({ requestId })),
  'requests.failures': viewer(({ keyId }) => ({ filter: { key: keyId } })),
  'requests.tail': viewer(),
  'requests.sessions': viewer(({ keyId }) => ({ filter: { key: keyId } })),
  'requests.session': viewer(() => ({ session: 'none' })),
  'views.list': viewer(),
  'views.create': viewer(() => ({ name: 'n', isShared: false, filter: {} })),
  'views.change': viewer(() => ({ id: 'view_none', name: 'n' })),
  'views.remove': viewer(() => ({ id: 'view_none' })),
  'requests.turns': viewer(() => ({ session: 'none' })),
  'search.find': viewer(() => ({ text: 'text' })),
  'ownCredentials.list': viewer(),
  'ownCredentials.set': verifiedAdmin(() => ({ providerId: 'prov_1', mode: 'first', credential: 'k' })),
  'ownCredentials.remove': verifiedAdmin(() => ({ providerId: 'prov_1' })),
  'ownCredentials.test': verifiedAdmin(() => ({ providerId: 'prov_1' })),
  'responses.setting': viewer(),
  'responses.keep': confirmedAdmin(() => ({ retentionDays: 7 })),
  'responses.stop': verifiedAdmin(),
  'bodies.setting': viewer(),
  'bodies.keep': confirmedAdmin(() => ({ retentionDays: 7 })),
  'bodies.stop': verifiedAdmin(),
  'bodies.get': member(({ requestId }) => ({ requestId })),
  'live.changes': viewer(),
  'billing.get': viewer(),
  'billing.entries': viewer(),
  'billing.days': viewer(),
  'billing.day': viewer(() => ({ from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' })),
  'billing.payments': viewer(),
  'billing.payment': viewer(() => ({ paymentId: 'pay_1' })),
  'billingDetails.get': viewer(),
  'billingDetails.set': verifiedAdmin(() => ({
    details: { companyName: 'Acme', address: '', country: null, taxId: '' },
  })),
  'statements.list': viewer(),
  'statements.get': viewer(() => ({ month: '2026-10' })),
  'billing.removeMethod': verifiedAdmin(),
  'billing.topUp': verifiedAdmin(() => ({ amountUsd: '20', saveMethod: false })),
  'billing.setAutoTopUp': verifiedAdmin(() => ({
    enabled: true,
    thresholdUsd: '5',
    amountUsd: '20',
    monthlyMaxUsd: null,
  })),
  'billing.setLowBalanceAlert': verifiedAdmin(() => ({ thresholdUsd: '5' })),
  'team.members': viewer(({ userId }) => ({ cursor: userId })),
  'team.invitations': admin(),
  'team.invite': verifiedAdmin(() => ({ email: 'walk@example.com', role: 'viewer' })),
  'team.resendInvitation': verifiedAdmin(({ invitationId }) => ({ invitationId })),
  'team.withdrawInvitation': admin(({ invitationId }) => ({ invitationId })),
  'team.changeRole': verifiedAdmin(({ userId }) => ({ userId, role: 'viewer' })),
  'team.remove': verifiedAdmin(({ userId }) => ({ userId })),
  'team.leave': viewer(),
  'team.transfer': confirmedOwner(({ userId }) => ({ userId })),
  'team.rename': verifiedAdmin(() => ({ name: 'Walked' })),
  'team.keepName': verifiedAdmin(),
  'teamTwoFactor.get': viewer(),
  'teamTwoFactor.set': confirmedAdmin(() => ({ required: false })),
  'team.invitation': nothing(),
  'team.invitationsToMe': session(),
  // team.test.ts tests their other requirements.
  'team.accept': session({ invitationId: 'inv_1' }),
  'team.decline': session({ invitationId: 'inv_1' }),
  'audit.list': admin(({ userId }) => ({ actorUserId: userId })),

  // As if they did not exist, except this machine's own user: mailbox.test.ts.
  'mailbox.list': nothing(),
  'mailbox.get': nothing(),

  'operator.audit.list': operator(),
  'operator.audit.operators': operator(),
  'operator.overview.figures': operator(),
  'operator.overview.atRisk': operator(),
  'operator.overview.attention': operator(),
  'operator.accounts.list': operator(),
  'operator.accounts.get': operator(),
  'operator.accounts.adjustBalance': operator(),
  'operator.accounts.setPlan': operator(),
  'operator.accounts.setSuspended': operator(),
  'operator.people.resetSignIn': confirmedOperator({
    userId: 'user_1',
    email: 'a@example.com',
    twoFactor: true,
    passkeys: true,
    reason: 'a lost phone',
  }),
  'operator.providers.list': operator(),
  'operator.providers.presets': operator(),
  'operator.providers.add': operator(),
  'operator.costs.list': operator(),
  'operator.failures.providers': operator(),
  'operator.failures.list': operator({ period: '1h' }),
  'operator.costs.lostCacheReads': operator(),
  'operator.costs.healthChecks': operator(),
  'operator.providers.allowMembers': operator(),
  'operator.providers.unknownMembers': operator(),
  'operator.providers.change': operator(),
  'operator.providers.remove': operator(),
  'operator.providers.test': operator(),
  'operator.providers.allowOwnCredentials': operator(),
  'operator.providerCredentials.list': operator(),
  'operator.providerCredentials.add': operator(),
  'operator.providerCredentials.setWeight': operator(),
  'operator.providerCredentials.remove': operator(),
  'operator.providerCredentials.restore': operator(),
  'operator.providerCredentials.test': operator(),
  'operator.plans.list': operator(),
  'operator.plans.add': operator(),
  'operator.plans.change': operator(),
  'operator.plans.remove': operator(),
  'operator.models.list': operator(),
  'operator.models.get': operator(),
  'operator.models.offers': operator(),
  'operator.models.addFromCatalogue': operator(),
  'operator.models.addPublishedRates': operator(),
  'operator.models.add': operator(),
  'operator.models.setFacts': operator(),
  'operator.models.setRouting': operator(),
  'operator.models.remove': operator(),
  'operator.models.setPrice': operator(),
  'operator.models.cancelPrice': operator(),
  'operator.fallbacks.put': operator(),
  'operator.fallbacks.remove': operator(),
  'operator.patterns.list': operator(),
  'operator.patterns.add': operator(),
  'operator.patterns.remove': operator(),
  'operator.routes.add': operator(),
  'operator.routes.arrange': operator(),
  'operator.routes.remove': operator(),
  'operator.routes.setServedNames': operator(),
  'operator.routes.setTerms': operator(),
  'operator.payments.list': operator(),
  'operator.payments.get': operator(),
  'operator.payments.getEvents': operator(),
  'operator.payments.events': operator(),
  'operator.payments.refund': operator({
    paymentId: 'pay_1',
    amountUsd: '1',
    reason: 'x',
    requestId: '0e1b2c3d-4f50-4a6b-8c7d-9e8f7a6b5c4d',
  }),
  'operator.payments.replay': operator(),
  'operator.taxes.list': operator(),
  'operator.taxes.add': operator({ name: 'VAT', percent: '19', country: null, reverseCharge: false }),
  'operator.taxes.setMode': operator({ mode: 'on_top' }),
  'operator.taxes.remove': operator({ id: 'tax_1' }),
  'operator.mails.list': operator(),
  'operator.mails.retry': operator(),
  'operator.viewing.begin': operator(),
  'operator.viewing.end': operator(),
  'operator.replicas.list': operator(),
  'operator.twoFactor.get': operator(),
  'operator.twoFactor.set': confirmedOperator({ required: false }),
  'operator.twoFactor.getOfAccount': operator({ accountId: 'acct_1' }),
  'operator.twoFactor.setOfAccount': confirmedOperator({ accountId: 'acct_1', required: false }),
  'operator.search.find': operator({ text: 'text' }),
  'operator.system.get': operator(),
  'operator.system.setupSteps': operator(),
  'operator.system.verifyLedger': operator(),
  'operator.system.retryJob': operator({ jobId: '01234567-89ab-7def-8123-456789abcdef' }),
  'operator.system.signUpPolicy': operator(),
  'operator.system.setSignUpPolicy': operator(),
};
