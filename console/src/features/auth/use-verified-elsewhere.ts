import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { toReturnPath } from '@tollgate/core/people/return-path';
import { useEffect, useEffectEvent } from 'react';
import { paths } from '../../lib/paths.ts';
import { sessionQuery } from '../../lib/session.ts';
import { takeReturn } from './return-path.ts';

const POLL_MS = 4_000;

interface Waiting {
  email: string;
  redirect: string | undefined;
  /** False while this page verifies the email itself. */
  isIdle: boolean;
}

/** Continues into the console when the email was verified in another tab of this browser. */
export function useVerifiedElsewhere({ email, redirect, isIdle }: Waiting): void {
  const router = useRouter();
  const { data: session } = useQuery({
    ...sessionQuery,
    // While the user is signed in, `useSession` polls.
    refetchInterval: ({ state }) => (state.data?.user === null ? POLL_MS : false),
    refetchOnWindowFocus: 'always',
  });
  const user = session?.user;
  const isVerified = isIdle && user?.emailVerified === true && user.email === email;
  const enter = useEffectEvent(() =>
    router.history.push(toReturnPath(takeReturn() ?? redirect) ?? paths.overview),
  );
  useEffect(() => {
    if (isVerified) enter();
  }, [isVerified]);
}
