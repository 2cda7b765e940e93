import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { cleanUpAfterEach, show } from '../../../testing/open-console.tsx';
import type { OperatorAccount } from '../operator-types.ts';
import { AccountFacts } from './account-facts.tsx';

cleanUpAfterEach();

it('rounds the balance down, like all other pages', () => {
  const account = {
    availableNanoUsd: '999922000',
    heldNanoUsd: '0',
    spentNanoUsd: '0',
    unpostedNanoUsd: '0',
    createdAt: '2026-11-25T10:00:00.000Z',
    isPrepaid: true,
    planId: 'default',
    ownerEmail: null,
  } as OperatorAccount;
  show(<AccountFacts account={account} />);
  expect(screen.getByText('Balance').parentElement?.textContent).toContain('$0.99requests are charged');
});
