import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { toast } from '../../lib/toast.ts';
import { cleanUpAfterEach, show } from '../../testing/open-console.tsx';
import { Toaster } from './toaster.tsx';

cleanUpAfterEach();

it('marks the icon of an error in red, and that of a success in green', async () => {
  show(<Toaster />);
  toast.error('Test failed');
  toast.success('Test passed');
  const failed = (await screen.findByText('Test failed')).closest('li');
  const passed = (await screen.findByText('Test passed')).closest('li');
  expect(failed?.className).toContain('[data-icon]]:text-danger');
  expect(passed?.className).toContain('[data-icon]]:text-accent');
  expect(passed?.className).not.toContain('text-danger');
});
