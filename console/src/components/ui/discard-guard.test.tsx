import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { cleanUpAfterEach, show } from '../../testing/open-console.tsx';
import { Dialog, DialogContent } from './dialog.tsx';
import { useDiscardGuard } from './discard-guard.tsx';

cleanUpAfterEach();

function Example({ onClose }: { onClose: () => void }) {
  const guard = useDiscardGuard(onClose);
  return (
    <Dialog open onOpenChange={guard.onOpenChange}>
      <DialogContent title="Edit" onInput={guard.onInput}>
        <input aria-label="Name" />
        {guard.question}
      </DialogContent>
    </Dialog>
  );
}

it('closes a dialog in which nothing was typed', async () => {
  const onClose = vi.fn<() => void>();
  const { user } = show(<Example onClose={onClose} />);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

it('asks before what was typed is lost', async () => {
  const onClose = vi.fn<() => void>();
  const { user } = show(<Example onClose={onClose} />);
  await user.type(screen.getByLabelText('Name'), 'acme');
  await user.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});
