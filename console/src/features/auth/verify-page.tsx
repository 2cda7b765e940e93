import { useSearch } from '@tanstack/react-router';
import { useSession } from '../../lib/session.ts';
import { VerifyByCode } from './verify-by-code.tsx';
import { VerifyByLink } from './verify-by-link.tsx';

/** Email verification: with the six digits of the email, or with its link. */
export function VerifyPage() {
  const { email, token, redirect } = useSearch({ from: '/auth/verify' });
  const { user } = useSession();
  const address = email ?? user?.email;
  if (token !== undefined) return <VerifyByLink token={token} email={address} redirect={redirect} />;
  return <VerifyByCode email={address ?? ''} redirect={redirect} />;
}
