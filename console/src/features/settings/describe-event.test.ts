import { expect, it } from 'vitest';
import { describeEvent } from './describe-event.ts';

it('tells an event in plain words, with what it was about where that is known', () => {
  const told = [
    ['user.signed_in', null],
    ['user.passkey_added', 'Laptop'],
    ['user.passkey_removed', null],
    ['user.identity_linked', 'github'],
  ] as const;
  expect(told.map(([action, about]) => describeEvent({ action, about }))).toEqual([
    'Signed in',
    'Added the passkey “Laptop”',
    'Removed a passkey',
    'Linked GitHub',
  ]);
});

it('tells one that it does not know by its own words', () => {
  expect(describeEvent({ action: 'user.of_a_newer_release', about: null })).toBe('Of a newer release');
});
