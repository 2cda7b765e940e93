import { useQuery } from '@tanstack/react-query';
import { trpc } from './trpc.ts';

/** How this user can re-authenticate: with their password, or without one. */
export function useConfirmationMethods() {
  return useQuery(trpc.sessions.confirmationMethods.queryOptions());
}
