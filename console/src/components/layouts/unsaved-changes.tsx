import { useBlocker } from '@tanstack/react-router';
import { DiscardDialog } from '../ui/discard-dialog.tsx';

interface UnsavedChangesProps {
  /** True while something would be lost. */
  isDirty: boolean;
  /** The subject of a sentence: `The new order of the routes`. */
  what: string;
}

/** Asks before changes are lost because the user opens another page, or closes the tab. */
export function UnsavedChanges({ isDirty, what }: UnsavedChangesProps) {
  const blocker = useBlocker({
    // A change of the filters stays on the page.
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <DiscardDialog description={`${what} is not saved.`} onDiscard={blocker.proceed} onKeep={blocker.reset} />
  );
}
