import { expect, it } from 'vitest';
import { cleanUpAfterEach, show } from '../../../testing/open-console.tsx';
import { ProviderHealth } from './provider-health.tsx';

cleanUpAfterEach();

it('shows when the provider said its last sentence', () => {
  const at = '2026-11-25T10:00:00.000Z';
  const lastMessage = { text: 'Insufficient credits', at };
  const health = { calls: 2, failures: 1, lastFailureAt: at, lastMessage };
  const { container } = show(<ProviderHealth health={health} nowMs={Date.parse(at) + 5 * 60_000} />);
  expect(container.textContent).toContain('Last error message, 5 minutes ago: Insufficient credits');
});
