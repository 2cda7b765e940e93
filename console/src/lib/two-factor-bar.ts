import { useAccountOrNone } from './current-account.ts';
import { useSession } from './session.ts';

/** Pages that a two-factor policy blocks until this session has used a second factor. */
export type TwoFactorBar =
  | { by: 'installation'; isEnrolled: boolean }
  | { by: 'account'; isEnrolled: boolean; accountName: string };

/** @returns null if no policy closes the current account to this session */
export function useTwoFactorBar(): TwoFactorBar | null {
  const { user } = useSession();
  const account = useAccountOrNone();
  if (user === null || user.secondFactor.isConfirmed) return null;
  const { isEnrolled, isRequired } = user.secondFactor;
  if (isRequired) return { by: 'installation', isEnrolled };
  if (account?.requiresTwoFactor !== true) return null;
  return { by: 'account', isEnrolled, accountName: account.name };
}
