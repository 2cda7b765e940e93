import { useNavigate, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { toast } from '../../lib/toast.ts';
import { changePlayground, stopAnswers } from './playground-store.ts';
import { decodeShare } from './share-link.ts';

/** Fills the playground from a shared link, and takes the prompt out of the address. Nothing is sent. */
export function useSharedLink(accountId: string): void {
  const { hash } = useLocation();
  const navigate = useNavigate({ from: '/playground' });
  useEffect(() => {
    const shared = decodeShare(hash === '' ? '' : `#${hash.replace(/^#/, '')}`);
    if (shared === 'none') return;
    void navigate({ search: (current) => current, hash: '', replace: true });
    if (shared === 'broken') {
      toast.error('The shared link is incomplete. Ask for a new one.');
      return;
    }
    stopAnswers(accountId);
    const { prompt: draft, system, tools } = shared;
    changePlayground(accountId, { draft, system, tools, conversations: [], results: {}, image: null });
    toast.info('Filled in from a shared link. Review it before you send.');
  }, [accountId, hash, navigate]);
}
