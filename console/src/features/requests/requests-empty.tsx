import { Link } from '@tanstack/react-router';
import { ListTree, SearchX } from 'lucide-react';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../components/ui/button.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { useSession } from '../../lib/session.ts';
import { describeRange } from './filters/describe-range.ts';
import { countFilters, type RequestsSearch } from './search.ts';

/** Empty state of the log with the next step. */
export function RequestsEmpty({ search }: { search: RequestsSearch }) {
  const { installation } = useSession();
  if (countFilters(search) > 0) {
    return (
      <EmptyState
        icon={SearchX}
        title="No matching requests"
        action={
          <Button asChild>
            <Link to={paths.requests} search={{ range: search.range, from: search.from, to: search.to }}>
              Clear filters
            </Link>
          </Button>
        }
      >
        Searched {describeRange(search)}.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={ListTree}
      title={`No requests in ${describeRange(search)}`}
      action={
        <Button asChild>
          <Link to={paths.keys}>View API keys</Link>
        </Button>
      }
    >
      Requests of this account to{' '}
      <code className="font-mono text-[12.5px] break-all text-ink">{installation.publicApiUrl}</code> appear
      here, including rejected ones.
    </EmptyState>
  );
}
