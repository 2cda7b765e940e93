import { expect, it } from 'vitest';
import { describeEvent } from './describe-event.ts';

it('describes an event, with its object if it is known', () => {
  const described = [
    ['user.signed_in', null],
    ['user.passkey_added', 'Laptop'],
    ['user.passkey_removed', null],
    ['user.identity_linked', 'github'],
  ] as const;
  expect(described.map(([action, about]) => describeEvent({ action, about }))).toEqual([
    'Signed in',
    'Added the passkey “Laptop”',
    'Removed a passkey',
    'Linked GitHub',
  ]);
});

it('shows the code of an unknown event', () => {
  expect(describeEvent({ action: 'user.of_a_newer_release', about: null })).toBe('Of a newer release');
});
