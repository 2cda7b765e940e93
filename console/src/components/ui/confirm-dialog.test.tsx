import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { cleanUpAfterEach, show } from '../../testing/open-console.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

cleanUpAfterEach();

type Props = Parameters<typeof ConfirmDialog>[0];

function open(props: Partial<Props> = {}) {
  const onConfirm = vi.fn<Props['onConfirm']>();
  const onClose = vi.fn<() => void>();
  const dialog = (more: Partial<Props> = {}) => (
    <ConfirmDialog
      title="Revoke ci?"
      description="Requests with it are rejected."
      action="Revoke key"
      onConfirm={onConfirm}
      onClose={onClose}
      {...props}
      {...more}
    />
  );
  const shown = show(dialog());
  const button = screen.getByRole('button', { name: 'Revoke key' });
  return { ...shown, onConfirm, onClose, button };
}

it('confirms only after the name and a reason are typed', async () => {
  const { user, button, onConfirm } = open({ name: 'ci', needsReason: true });
  expect(document.activeElement).toBe(screen.getByLabelText('Reason'));
  await user.keyboard('leaked');
  await user.type(screen.getByLabelText(/to confirm$/), 'CI');
  expect(button).toHaveProperty('disabled', true);
  await user.keyboard('{Enter}');
  expect(onConfirm).not.toHaveBeenCalled();
  await user.clear(screen.getByLabelText(/to confirm$/));
  await user.type(screen.getByLabelText(/to confirm$/), ' ci {Enter}');
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith('leaked');
});

it('starts on the button that cancels if a click confirms', async () => {
  const { user, button, onConfirm, onClose } = open({ cancel: 'Keep it' });
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Keep it' }));
  await user.keyboard('{Enter}');
  expect(onClose).toHaveBeenCalledOnce();
  expect(onConfirm).not.toHaveBeenCalled();
  await user.click(button);
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith('');
});

it('stays open and confirms once while the action runs', async () => {
  const { user, onClose, onConfirm, button } = open({ isPending: true });
  await user.click(button);
  await user.keyboard('{Escape}');
  expect(onConfirm).not.toHaveBeenCalled();
  expect(onClose).not.toHaveBeenCalled();
});

it('shows why the action failed', () => {
  open({ error: new Error('boom') });
  expect(screen.getByRole('alert').textContent).toContain('Something went wrong on the server');
});

function Opener() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Revoke…
      </button>
      {isOpen && (
        <ConfirmDialog
          title="Revoke ci?"
          description="Requests with it are rejected."
          action="Revoke key"
          onConfirm={() => undefined}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

it('returns the focus to the button that opened it', async () => {
  const { user } = show(<Opener />);
  const opener = screen.getByRole('button', { name: 'Revoke…' });
  await user.click(opener);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(opener));
});
