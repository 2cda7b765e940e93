import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { cleanUpAfterEach, show } from '../../../testing/open-console.tsx';
import { PaletteLoading } from './palette-loading.tsx';

cleanUpAfterEach();

it('takes the focus, keeps what is typed, and closes with Escape', () => {
  const onType = vi.fn<(text: string) => void>();
  const onClose = vi.fn<() => void>();
  show(<PaletteLoading onType={onType} onClose={onClose} />);
  const input = screen.getByRole('textbox');
  expect(document.activeElement).toBe(input);
  // Shortcuts of the page are off while a dialog is open.
  expect(screen.getByRole('dialog', { name: 'Command palette' }).contains(input)).toBe(true);
  fireEvent.change(input, { target: { value: 'bil' } });
  expect(onType).toHaveBeenLastCalledWith('bil');
  fireEvent.keyDown(input, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledTimes(1);
});
