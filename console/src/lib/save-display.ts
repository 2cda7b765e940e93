import { DEFAULT_DISPLAY, type DisplayPreferences } from '@tollgate/core/people/display-preferences';
import { describeError } from './api-error.ts';
import { applyDisplay } from './display.ts';
import { queryClient } from './query-client.ts';
import { sessionQuery } from './session.ts';
import { toast } from './toast.ts';
import { client } from './trpc.ts';

/** Applies display preferences, and stores them with the login, for all devices. Without a session, only here. */
export async function saveDisplay(change: Partial<DisplayPreferences>): Promise<void> {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  const user = session?.user ?? null;
  applyDisplay({ ...(user?.display ?? DEFAULT_DISPLAY), ...change });
  // An operator who views an account can change nothing.
  if (session === undefined || user === null || session.viewing !== null) return;
  const display = { ...user.display, ...change };
  queryClient.setQueryData(sessionQuery.queryKey, { ...session, user: { ...user, display } });
  try {
    await client.settings.setDisplay.mutate(change);
  } catch (error) {
    toast.error('This setting was not saved for other devices', { description: describeError(error) });
  }
}
