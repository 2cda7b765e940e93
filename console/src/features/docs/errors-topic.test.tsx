import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { cleanUpAfterEach, show } from '../../testing/open-console.tsx';
import { ErrorsTopic } from './errors-topic.tsx';

cleanUpAfterEach();

it('explains the codes that only the request log has', () => {
  show(<ErrorsTopic />);
  const row = screen.getByRole('row', { name: /^upstream_rejected\b/ });
  expect(row.textContent).toContain('The provider rejected the request.');
});

it.each([
  ['upstream_error', true],
  ['rate_limit_requests', true],
  // SDKs retry their status, but the responses have `x-should-retry: false`.
  ['no_route_available', false],
  ['upstream_misconfigured', false],
  ['budget_exceeded', false],
])('shows whether SDKs retry %s: %s', (code, isRetried) => {
  show(<ErrorsTopic />);
  const row = screen.getByRole('row', { name: new RegExp(`^${code}\\b`) });
  expect(within(row).queryByText('SDKs retry') !== null).toBe(isRetried);
});
