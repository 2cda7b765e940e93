import { useNavigate, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { toast } from '../../lib/toast.ts';
import { losesWork } from './loses-work.ts';
import { changePlayground, readPlayground, stopAnswers, usePlayground } from './playground-store.ts';
import { decodeShare, type SharedPrompt } from './share-link.ts';

interface SharedLink {
  /** True: the link would replace work, so the user must be asked. */
  needsAnswer: boolean;
  replace: () => void;
  keep: () => void;
}

/** Fills the playground from a shared link, and takes the prompt out of the address. Nothing is sent. */
export function useSharedLink(accountId: string): SharedLink {
  const { hash } = useLocation();
  const navigate = useNavigate({ from: '/playground' });
  const shared = decodeFragment(hash);
  const current = usePlayground(accountId);
  const clearAddress = () => void navigate({ search: (search) => search, hash: '', replace: true });
  useEffect(() => {
    const found = decodeFragment(hash);
    if (found === 'none') return;
    if (found !== 'broken' && losesWork(readPlayground(accountId), found)) return;
    void navigate({ search: (search) => search, hash: '', replace: true });
    if (found === 'broken') toast.error('The shared link is incomplete. Ask for a new one.');
    else fillIn(accountId, found);
  }, [accountId, hash, navigate]);
  return {
    needsAnswer: typeof shared === 'object' && losesWork(current, shared),
    replace: () => {
      if (typeof shared === 'object') fillIn(accountId, shared);
      clearAddress();
    },
    keep: clearAddress,
  };
}

/** @param hash as the router gives it: with or without its first character */
function decodeFragment(hash: string): ReturnType<typeof decodeShare> {
  return decodeShare(hash === '' ? '' : `#${hash.replace(/^#/, '')}`);
}

function fillIn(accountId: string, { prompt: draft, system, tools }: SharedPrompt): void {
  stopAnswers(accountId);
  changePlayground(accountId, { draft, system, tools, conversations: [], results: {}, image: null });
  toast.info('Filled in from a shared link. Review it before you send.');
}
