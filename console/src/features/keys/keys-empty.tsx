import { Link } from '@tanstack/react-router';
import { KeyRound, SearchX } from 'lucide-react';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { useSession } from '../../lib/session.ts';
import { isNarrowed, type KeyListState, type KeysSearch } from './search.ts';

interface KeysEmptyProps {
  search: KeysSearch;
  counts: Record<KeyListState, number>;
  /** null if the user can't create keys. */
  onNew: (() => void) | null;
}

const STATE_WORDS: Record<KeyListState, string> = {
  active: 'active',
  expiring: 'expiring',
  ended: 'revoked or expired',
};

const NOTHING: Record<KeyListState, { title: string; text: string }> = {
  active: { title: 'No active keys', text: 'All keys of this account are revoked or expired.' },
  expiring: { title: 'No keys expire soon', text: 'No active key expires within the next 7 days.' },
  ended: { title: 'No revoked or expired keys', text: 'Revoked and expired keys appear here.' },
};

/** Empty state of the list with the next step. */
export function KeysEmpty({ search, counts, onNew }: KeysEmptyProps) {
  const { state = 'active' } = search;
  const { installation } = useSession();
  const newKey =
    onNew === null ? undefined : (
      <Button variant="primary" onClick={onNew}>
        Create key
      </Button>
    );
  if (isNarrowed(search)) return <NoMatch state={state} search={search} counts={counts} />;
  if (counts.active + counts.ended === 0) {
    return (
      <EmptyState icon={KeyRound} title="No keys yet" action={newKey}>
        A key lets your code call{' '}
        <code className="font-mono text-[12.5px] break-all text-ink">{installation.publicApiUrl}</code>
        {onNew !== null
          ? ', within the models, budget and rate limits that you set.'
          : '. Ask a member of this account to create one.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={KeyRound} title={NOTHING[state].title} action={state === 'active' ? newKey : undefined}>
      {NOTHING[state].text}
    </EmptyState>
  );
}

/** A search covers one segment, so the other one is offered if it has keys. */
function NoMatch({ state, search, counts }: Omit<KeysEmptyProps, 'onNew'> & { state: KeyListState }) {
  const other = state === 'ended' ? 'active' : 'ended';
  const { q } = search;
  const isSearchAlone = search.model === undefined && search.tag === undefined;
  return (
    <EmptyState
      icon={SearchX}
      title={
        isSearchAlone
          ? `No ${STATE_WORDS[state]} key matches “${q ?? ''}”`
          : `No ${STATE_WORDS[state]} key matches all filters`
      }
      action={
        <>
          <Button asChild>
            <Link to={paths.keys} search={{ state: search.state }}>
              {isSearchAlone ? 'Clear search' : 'Clear filters'}
            </Link>
          </Button>
          {counts[other] > 0 && (
            <Button asChild>
              <Link to={paths.keys} search={{ ...search, state: other === 'active' ? undefined : other }}>
                Search {STATE_WORDS[other]} keys
              </Link>
            </Button>
          )}
        </>
      }
    >
      {isSearchAlone
        ? 'Search covers names, prefixes and the last four characters.'
        : 'Remove a filter to find more keys.'}
    </EmptyState>
  );
}
