import { formatPlural } from '../../lib/format/count.ts';
import type { TwoFactorPolicy } from '../../lib/trpc.ts';

/** Texts of the two-factor policy card and dialog, for members or operators. */
export interface PolicyTarget {
  /** The card's line. */
  describe: (policy: TwoFactorPolicy) => string;
  /** What turning it on does. */
  consequence: (policy: TwoFactorPolicy) => string;
  /** What turning it off does. */
  relief: string;
}

export const MEMBERS: PolicyTarget = {
  describe: ({ required, peopleWithout }) =>
    required
      ? `Members need an authenticator app or a passkey. ${describeWithout(peopleWithout, 'member')}`
      : `Members can sign in with only a password. ${describeWithout(peopleWithout, 'member')}`,
  consequence: ({ peopleWithout }) =>
    `${formatPlural(peopleWithout, 'member')} without a second factor will lose access until they set one up. API keys keep working.`,
  relief: 'Members can then open this account with only a password.',
};

export const OPERATORS: PolicyTarget = {
  describe: ({ required, peopleWithout }) =>
    required
      ? `Operators need an authenticator app or a passkey. ${describeWithout(peopleWithout, 'operator')}`
      : `Operators can sign in with only a password. ${describeWithout(peopleWithout, 'operator')}`,
  consequence: ({ peopleWithout }) =>
    `${formatPlural(peopleWithout, 'operator')} without a second factor will lose access until they set one up. API keys keep working.`,
  relief: 'Operators can then sign in with only a password.',
};

function describeWithout(people: number, noun: string): string {
  if (people === 0) return `Every ${noun} has a second factor.`;
  return `${formatPlural(people, noun)} ${people === 1 ? 'has' : 'have'} no second factor.`;
}
